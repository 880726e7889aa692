/** A receiver that behaves as badly as a test wants: `behave` is called with each response and the number of the request, from 1. */
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'

export interface Taken {
  headers: IncomingHttpHeaders
  body: Buffer
  at: number
}

export interface RoughReceiver {
  readonly url: string
  readonly port: number
  readonly taken: Taken[]
  /** Connections that were opened, whether or not something was said on them. */
  readonly connections: { count: number }
  close(): Promise<void>
}

export interface RoughOptions {
  behave(response: ServerResponse, count: number): void
  now?: () => number
  host?: string
  port?: number
  tls?: { key: string; cert: string }
}

export async function aRoughReceiver(options: RoughOptions): Promise<RoughReceiver> {
  const { behave, now = Date.now, host = '127.0.0.1', tls } = options
  const taken: Taken[] = []
  const connections = { count: 0 }
  const listener: Parameters<typeof createServer>[1] = (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      taken.push({ headers: request.headers, body: Buffer.concat(chunks), at: now() })
      behave(response, taken.length)
    })
  }
  const server: Server = tls ? createTlsServer(tls, listener) : createServer(listener!)
  server.on('connection', () => {
    connections.count++
  })
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, host, resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    taken,
    connections,
    url: `${tls ? 'https' : 'http'}://${host}:${port}/callbacks`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Answers with a status and nothing else. */
export const answers =
  (status: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, headers).end()
