/** Where the host under test sends its callbacks: keeps each as it came, and answers 204, or 500 where a rule wants to see it again. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Callback {
  method: string
  path: string
  headers: IncomingHttpHeaders
  /** The names of the headers as they were spelled. */
  headerNames: string[]
  body: Buffer
  /** Milliseconds since 1970. */
  receivedAt: number
}

export interface CallbackReceiver {
  /** The URL given to the host, without a slash at its end. */
  url: string
  received: readonly Callback[]
  /** Answers the next callback to this name below the URL with 500. */
  refuseOnce(name: string): void
  stop(): Promise<void>
}

/** More than any event has; what is longer is cut off. */
const MOST_BYTES = 1024 * 1024
/** More callbacks than a run can cause; the port may be open to others. */
const MOST_CALLBACKS = 10_000
const MOST_BYTES_IN_ALL = 64 * 1024 * 1024

/**
 * Opens a port.
 * @param port 0 takes a free one
 * @param publicUrl how the host reaches it; optional, this machine by default
 */
export async function openReceiver({ port = 0, publicUrl, now = Date.now }: ReceiverPlace): Promise<CallbackReceiver> {
  const received: Callback[] = []
  let bytesInAll = 0
  const refusing = new Set<string>()
  const server = createServer(async (request, response) => {
    const { method = '', url = '/', headers } = request
    const body = await bodyOf(request).catch(() => null)
    // Too long, or given up by the host: nothing to answer.
    if (body === null) return void request.destroy()
    bytesInAll += body.length
    if (received.length >= MOST_CALLBACKS || bytesInAll > MOST_BYTES_IN_ALL) return void response.writeHead(503).end()
    const headerNames = request.rawHeaders.filter((_, index) => index % 2 === 0)
    received.push({ method, path: url, headers, headerNames, body, receivedAt: now() })
    response.writeHead(refusing.delete(nameOf(url)) ? 500 : 204).end()
  })
  // Without a public URL only this machine can reach it.
  server.listen(port, publicUrl === undefined ? '127.0.0.1' : undefined)
  await once(server, 'listening')
  return {
    url: publicUrl?.replace(/\/+$/, '') ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    refuseOnce: (name) => void refusing.add(name),
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export interface ReceiverPlace {
  port?: number | undefined
  publicUrl?: string | undefined
  now?: () => number
}

/** The last part of a path: a proxy between may omit the parts before it. */
export const nameOf = (path: string): string => path.split('?')[0]!.split('/').at(-1)!

async function bodyOf(request: AsyncIterable<Buffer>): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    length += chunk.length
    if (length > MOST_BYTES) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
