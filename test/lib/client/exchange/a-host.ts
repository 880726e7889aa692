/** A host on a free port of this machine that answers each request as the test has planned it. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerOptions } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { ClientOptions } from '../../../../lib/client/client-settings.ts'
import type { TlsIdentity } from '../../../support/network/tls-identity.ts'
import { aClient } from '../../../support/service/a-client.ts'

/** Null breaks the connection; `'never'` leaves the request without an answer. `text` is sent in place of a `body` as JSON. */
export type Planned =
  | { status?: number; headers?: Record<string, string>; body?: unknown; text?: string }
  | null
  | 'never'

export type AHost = Awaited<ReturnType<typeof aHost>>

/** With `identity` it speaks TLS. Stop it after the test. */
export async function aHost(identity?: TlsIdentity) {
  const requests: IncomingMessage[] = []
  let planned: Planned[] = []
  const listener: NonNullable<Parameters<typeof createServer>[1]> = (request, response) => {
    requests.push(request)
    request.resume()
    const plan = planned.length > 0 ? planned.shift() : { status: 418 }
    if (plan === 'never') return
    if (!plan) return void request.socket.destroy()
    const { status = 200, headers = {}, body = [], text = JSON.stringify(body) } = plan
    response.writeHead(status, headers).end(text)
  }
  const options: ServerOptions = { keepAlive: false }
  const server = identity ? createTlsServer({ ...options, ...identity }, listener) : createServer(options, listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const baseUrl = `${identity ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    baseUrl,
    /** Those that came since the last plan. */
    requests,
    plan(...answers: Planned[]) {
      planned = answers
      requests.length = 0
    },
    client: (options: Partial<ClientOptions> = {}) => aClient({ baseUrl, apiKey: 'key', ...options }),
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
