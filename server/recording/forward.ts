/** Passes a request on to the host, and its answer back as it comes. Keeps a copy of the answer, in memory alone. */
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { request as httpsRequest } from 'node:https'

export interface Forwarded {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** They are about one connection, and there are two. */
const OF_A_CONNECTION = [
  'connection',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

/**
 * Resolves when the caller has the whole answer. A caller that goes away ends the request to the host, too.
 * @param url of the host, without the path of the request
 * @throws an error of the network, its `code` on it, when the host gives no whole answer; the response may have begun
 */
export function forward(
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
  url: string,
): Promise<Forwarded> {
  const target = new URL(url + request.url)
  const send = target.protocol === 'https:' ? httpsRequest : httpRequest
  const headers: IncomingHttpHeaders = {
    ...withoutConnection(request.headers),
    // The copy is read, so the answer must not be compressed.
    'accept-encoding': 'identity',
    'content-length': String(body.length),
  }
  return new Promise((resolve, reject) => {
    const onward = send(target, { method: request.method, headers }, (answer) => {
      const status = answer.statusCode ?? 502
      const chunks: Buffer[] = []
      response.writeHead(status, withoutConnection(answer.headers))
      answer.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject)
      answer.on('end', () => resolve({ status, headers: answer.headers, body: Buffer.concat(chunks) }))
      answer.pipe(response)
    })
    onward.on('error', reject)
    response.on('close', () => onward.destroy())
    onward.end(body)
  })
}

const withoutConnection = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_A_CONNECTION.includes(name)))
