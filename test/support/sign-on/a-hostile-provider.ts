/** A provider that does what the test says: its discovery and its forms are right, its tokens need not be. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { freePort } from '../network/free-port.ts'
import { CLIENT } from './a-service-with-sign-on.ts'

export interface Forgery {
  header?: object
  claims?: object
  /** By whose key the token is signed; null leaves the signature empty. */
  key?: KeyObject | null
  /** Answers the exchange of the code with this, instead of with tokens. */
  answer?: { status: number; body: string }
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
export const strangeKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

export type HostileProvider = Awaited<ReturnType<typeof aHostileProvider>>

/** @param more fields of the discovery document */
export async function aHostileProvider(more: object = {}) {
  const port = await freePort()
  const issuer = `http://localhost:${port}`
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const discovery = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'none'],
    authorization_response_iss_parameter_supported: true,
    ...more,
  }
  let forgery: Forgery = {}
  let nonce = ''

  function idToken(): string {
    const now = Math.floor(Date.now() / 1000)
    const right = { iss: issuer, aud: CLIENT.id, sub: 'ruth', iat: now, exp: now + 300, nonce }
    const person = { email: 'ruth@practice.example', email_verified: true }
    const header = encoded({ alg: 'RS256', kid: 'first', ...forgery.header })
    const text = `${header}.${encoded({ ...right, ...person, ...forgery.claims })}`
    const { key = privateKey } = forgery
    return `${text}.${key === null ? '' : sign('sha256', Buffer.from(text), key).toString('base64url')}`
  }

  const server = createServer((request, response) => {
    const json = (body: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    switch (request.url) {
      case '/.well-known/openid-configuration':
        return json(discovery)
      case '/jwks':
        return json({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'first', use: 'sig', alg: 'RS256' }] })
      case '/token': {
        request.resume()
        const { answer } = forgery
        if (answer) return response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
        return json({ access_token: 'none', token_type: 'bearer', expires_in: 300, id_token: idToken() })
      }
      default:
        return json({}, 404)
    }
  })
  server.listen(port, 'localhost')
  await once(server, 'listening')
  return {
    issuer,
    /** From now on, and for the sign-in that has begun with this URL, tokens are forged like this. */
    forge(next: Forgery) {
      forgery = next
    },
    /** Where the provider sends the browser back to, as its owner would like it. */
    backFrom(providerUrl: string, change: Record<string, string | null> = {}): string {
      const asked = new URL(providerUrl).searchParams
      nonce = asked.get('nonce')!
      const back = new URL(asked.get('redirect_uri')!)
      const query = { code: 'a-code', state: asked.get('state'), iss: issuer, ...change }
      for (const [name, value] of Object.entries(query)) if (value !== null) back.searchParams.set(name, value)
      return back.href
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
