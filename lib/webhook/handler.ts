/** Puts a receiver behind node:http and Express. Reads the raw bytes itself, up to a limit, and answers every request. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createReceiver, type Receiver, type ReceiverOptions } from './receiver.ts'

/** Options of a request handler: those of its receiver, and a limit of its own. */
export interface HandlerOptions extends ReceiverOptions {
  /** A larger body is answered 413. Optional; 65,536 by default. An event has some 300 bytes. */
  maxBodyBytes?: number
}

/** Works with `http.createServer(handler)`, `app.post(path, handler)` and after `express.raw({ type: '*\/*' })`. */
export type WebhookHandler = ((request: IncomingMessage, response: ServerResponse) => Promise<void>) & {
  /** Takes what the handler receives; its `resume` is called at the start. */
  receiver: Receiver
}

/** Returns a handler of requests, with the receiver that it makes of the options. Its promise never rejects. */
export function webhookHandler({ maxBodyBytes = 64 * 1024, ...options }: HandlerOptions): WebhookHandler {
  const receiver = createReceiver(options)

  const handler = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== 'POST') return send(response, 405, '{"errors":["method_not_allowed"]}', { allow: 'POST' })
    const payload = await bodyOf(request, maxBodyBytes)
    if (payload === 'too_large') return send(response, 413, '{"errors":["body_too_large"]}', { connection: 'close' })
    // The sender hung up in the middle: no one waits for an answer.
    if (payload === 'aborted') return
    const { status, headers, body } = await receiver.receive({ payload, headers: request.headersDistinct })
    send(response, status, body, headers)
  }
  return Object.assign(handler, { receiver })
}

/** Returns the bytes; undefined when another handler has read them and left none. */
async function bodyOf(
  request: IncomingMessage & { body?: unknown },
  limit: number,
): Promise<Buffer | undefined | 'too_large' | 'aborted'> {
  if (Buffer.isBuffer(request.body)) return request.body.length > limit ? 'too_large' : request.body
  if (request.readableDidRead || request.readableEnded) return undefined
  const chunks: Buffer[] = []
  let length = 0
  try {
    // Leaving the loop must not destroy the request: it would lose its socket, and with it the address that access logs show.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > limit) return 'too_large'
      chunks.push(chunk)
    }
  } catch {
    return 'aborted'
  }
  return Buffer.concat(chunks)
}

function send(response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(body)
}
