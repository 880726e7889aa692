/** A server in front of the service, with TLS or without: it passes every request on, and keeps what came. */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as passOn,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { eventually } from '../eventually.ts'
import type { TlsIdentity } from './tls-identity.ts'

export interface Passed {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}

export async function aGateway(target: string, tls?: TlsIdentity) {
  const passed: Passed[] = []
  /**
   * How late answers are, whether they wait for `answerNext`, whether connections are cut as if nobody were there, and for how
   * long the next call has to wait: when it has to, it is refused with 429.
   */
  const pace = { answersAfterMs: 0, holdsAnswers: false, isAway: false, waitMs: () => 0 }
  const held: (() => void)[] = []
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    if (pace.isAway) return void request.socket.destroy()
    const { method = '', url = '', headers } = request
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const waitMs = pace.waitMs()
      if (waitMs > 0) return void refuse(response, waitMs)
      const body = Buffer.concat(chunks)
      passed.push({ method, url, headers, body: body.toString() })
      passOn(target + url, { method, headers }, (answer) => {
        const pass = () => {
          response.writeHead(answer.statusCode!, answer.headers)
          answer.pipe(response)
        }
        if (pace.holdsAnswers) held.push(pass)
        else setTimeout(pass, pace.answersAfterMs)
      })
        .on('error', () => response.writeHead(502).end())
        .end(body)
    })
  }
  const server = tls ? createTlsServer(tls, handle) : createServer(handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    passed,
    pace,
    /** Passes on the answer that was held longest, once there is one. */
    answerNext: () =>
      eventually(() => {
        const pass = held.shift()
        if (!pass) throw new Error('No answer is held.')
        pass()
      }),
    baseUrl: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function refuse(response: ServerResponse, waitMs: number): void {
  const headers = { 'content-type': 'application/json', 'retry-after': String(Math.ceil(waitMs / 1000)) }
  response.writeHead(429, headers).end(JSON.stringify({ errors: ['too many requests'] }))
}

export type Gateway = Awaited<ReturnType<typeof aGateway>>
