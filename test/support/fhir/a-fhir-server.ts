/** A FHIR server on this machine: resources by their path, and a token server that verifies assertions. */
import type { KeyObject } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { text } from 'node:stream/consumers'
import { type JWTVerifyResult, jwtVerify } from 'jose'
import { listen, portOf } from '../network/listening.ts'
import type { TlsIdentity } from '../network/tls-identity.ts'

export interface Asked {
  method: string
  path: string
  accept: string | undefined
  authorization: string | undefined
  ifNoneExist: string | undefined
  ifMatch: string | undefined
  body: string
}

export interface Answered {
  status?: number
  headers?: Record<string, string>
  body?: string | Buffer | object
  /** The answer never comes. */
  never?: true
}

export type TestFhirServer = Awaited<ReturnType<typeof aFhirServer>>

export interface Given {
  /** What is answered to a request, by its method and path below the base; what is not named is 404. */
  answers?: Record<string, Answered | ((asked: Asked) => Answered)>
  /** With it, tokens are wanted, and given for assertions of this client. */
  client?: { id: string; publicKey: KeyObject; expiresIn?: number }
  /** With it, the server speaks TLS; with `clientAuthority`, only to those whose certificate this authority vouches for. */
  tls?: TlsIdentity & { clientAuthority?: string }
}

export async function aFhirServer({ answers = {}, client, tls }: Given = {}) {
  const asked: Asked[] = []
  const assertions: JWTVerifyResult[] = []
  const good = new Set<string>()

  async function token(body: string): Promise<Answered> {
    const form = new URLSearchParams(body)
    const verified = await jwtVerify(form.get('client_assertion') ?? '', client!.publicKey, {
      audience: `${origin()}/token`,
      issuer: client!.id,
      subject: client!.id,
      algorithms: ['RS384', 'ES384'],
      requiredClaims: ['exp', 'jti'],
      clockTolerance: 1,
    }).catch(() => null)
    const isNew = verified && !assertions.some(({ payload }) => payload.jti === verified.payload.jti)
    if (!isNew || form.get('grant_type') !== 'client_credentials')
      return { status: 400, body: { error: 'invalid_client' } }
    assertions.push(verified)
    const access = `token-${assertions.length}`
    good.add(`Bearer ${access}`)
    const { expiresIn = 300 } = client!
    return { body: { access_token: access, token_type: 'bearer', expires_in: expiresIn, scope: form.get('scope') } }
  }

  async function answer(request: IncomingMessage): Promise<Answered> {
    const { method = '', url = '', headers } = request
    const body = await text(request)
    if (url === '/token') return token(body)
    if (url === '/fhir/.well-known/smart-configuration') return { body: { token_endpoint: `${origin()}/token` } }
    const { accept, authorization } = headers
    const conditions = { ifNoneExist: headers['if-none-exist'] as string | undefined, ifMatch: headers['if-match'] }
    const one = { method, path: url, accept, authorization, ...conditions, body }
    asked.push(one)
    if (client && !good.has(authorization ?? '')) return { status: 401 }
    const found = answers[`${method} ${url.replace(/^\/fhir/, '')}`] ?? { status: 404 }
    return typeof found === 'function' ? found(one) : found
  }

  const listener = (request: IncomingMessage, response: ServerResponse) =>
    void answer(request).then((given) => given.never || send(response, given))
  const clients = tls?.clientAuthority && { ca: tls.clientAuthority, requestCert: true }
  const server = tls ? createTlsServer({ ...tls, ...clients }, listener) : createServer(listener)
  await listen(server)
  const origin = () => `${tls ? 'https' : 'http'}://127.0.0.1:${portOf(server)}`
  return {
    asked,
    assertions,
    /** Takes back the tokens that were given. */
    revoke: () => good.clear(),
    origin: origin(),
    baseUrl: `${origin()}/fhir`,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function send(response: ServerResponse, { status = 200, headers = {}, body = '' }: Answered) {
  const isText = typeof body === 'string' || Buffer.isBuffer(body)
  response.writeHead(status, { 'content-type': 'application/fhir+json', ...headers })
  response.end(isText ? body : JSON.stringify(body))
}
