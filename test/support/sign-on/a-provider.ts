/** A real provider of OpenID Connect on this machine, at another site than the service: people sign in to it in its own pages. */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { Provider } from 'oidc-provider'
import { freePort } from '../network/free-port.ts'

/** What the provider says of somebody. */
export interface Subject {
  email?: string
  email_verified?: boolean
}

export interface ProviderClient {
  id: string
  secret: string
  redirectUri: string
}

export type TestProvider = Awaited<ReturnType<typeof aProvider>>

/** @param people by the name under which they sign in, which is also their `sub` */
export async function aProvider(clients: readonly ProviderClient[], people: Record<string, Subject>, port?: number) {
  const issuerPort = port ?? (await freePort())
  const issuer = `http://localhost:${issuerPort}`
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const provider = new Provider(issuer, {
    clients: clients.map(({ id, secret, redirectUri }) => ({
      client_id: id,
      client_secret: secret,
      redirect_uris: [redirectUri],
    })),
    claims: { email: ['email', 'email_verified'] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
    pkce: { required: () => true },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, ...people[id] }),
    }),
  })
  const asked: string[] = []
  const listener = provider.callback()
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url!.split('?')[0]}`)
    listener(request, response)
  })
  server.listen(issuerPort, 'localhost')
  await once(server, 'listening')
  return {
    issuer,
    people,
    /** Methods and paths. */
    asked,
    /** Does nothing when it has stopped before. */
    async stop() {
      if (!server.listening) return
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
