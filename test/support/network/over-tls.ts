/** Requests over TLS to a server that an authority of the test vouches for. */
import { once } from 'node:events'
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { request } from 'node:https'

export interface TlsAsking {
  headers?: OutgoingHttpHeaders
  body?: Uint8Array | string
  /** The address of this machine that the request comes from. */
  from?: string
}

export interface TlsAnswer {
  status: number
  headers: IncomingMessage['headers']
  text: string
}

export const overTls = (baseUrl: string, authority: string) => {
  /** Resolves when the answer begins; its body may go on for as long as it likes. */
  const open = async (method: string, path: string, { headers = {}, body, from }: TlsAsking = {}) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const asking = request(new URL(path, baseUrl), {
      method,
      ca: authority,
      agent: false,
      headers: { ...length, ...headers },
      ...(from !== undefined && { localAddress: from }),
    })
    asking.end(body)
    const [answer] = (await once(asking, 'response')) as [IncomingMessage]
    return answer
  }
  const ask = async (method: string, path: string, asking?: TlsAsking): Promise<TlsAnswer> => {
    const answer = await open(method, path, asking)
    const chunks: Buffer[] = []
    for await (const chunk of answer) chunks.push(chunk as Buffer)
    return { status: answer.statusCode!, headers: answer.headers, text: Buffer.concat(chunks).toString() }
  }
  return { open, ask }
}
