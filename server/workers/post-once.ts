/** One POST to a service that the operator has named. Follows no redirect, tries nothing twice, and logs nothing. */
import type { IncomingMessage } from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { rootCertificates } from 'node:tls'
import { isCertificate } from '../../lib/client/answers/no-answer.ts'
import type { ProxyPlace } from '../domain/proxy-place.ts'
import { http } from '../node-http.ts'
import { tunnelAgent } from '../tunnel.ts'
import { BLOCKED } from './delivery/guarded-lookup.ts'

export interface Way {
  /** The timeout for all of it: name, connection and answer. */
  timeoutMs: number
  /** PEM of authorities that vouch for the host, besides those of Node.js. */
  ca?: string | undefined
  lookup: LookupFunction
  /** Through which the host is called; undefined where it is called directly. */
  proxy: ProxyPlace | undefined
}

export interface Post {
  url: URL
  headers: Readonly<Record<string, string>>
  /** `user:password` of HTTP basic authentication. */
  auth?: string
  body: Uint8Array
  maxAnswerBytes: number
}

export type PostAnswer =
  | { status: number; body: Buffer }
  | { failure: 'away' | 'untrustedHost' | 'blocked' | 'tooSlow' | 'tooLarge' }

/** Never rejects. */
export function postOnce({ url, headers, auth, body, maxAnswerBytes }: Post, way: Way): Promise<PostAnswer> {
  const { timeoutMs, ca, lookup, proxy } = way
  const signal = AbortSignal.timeout(timeoutMs)
  return new Promise((resolve) => {
    const failed = (failure: NodeJS.ErrnoException) => resolve({ failure: failureOf(failure, signal) })
    const { request: dial } = url.protocol === 'https:' ? https : http
    const request = dial(url, {
      method: 'POST',
      headers: { ...headers, 'Content-Length': body.length },
      ...(auth !== undefined && { auth }),
      ...(ca && { ca: [...rootCertificates, ca] }),
      // The operator has named the host, and a proxy resolves its name.
      ...(proxy ? { agent: tunnelAgent(url.protocol, proxy) } : { agent: false, lookup }),
      signal,
    })
    request.on('error', failed)
    request.once('response', (answer) => {
      answer.on('error', failed)
      readAnswer(answer, maxAnswerBytes, resolve)
    })
    request.end(body)
  })
}

function readAnswer(answer: IncomingMessage, maxBytes: number, resolve: (answer: PostAnswer) => void): void {
  const chunks: Buffer[] = []
  let bytes = 0
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    chunks.push(chunk)
    if (bytes <= maxBytes) return
    resolve({ failure: 'tooLarge' })
    answer.destroy()
  })
  answer.once('end', () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks) }))
}

function failureOf({ code = '' }: NodeJS.ErrnoException, signal: AbortSignal) {
  if (signal.aborted) return 'tooSlow'
  if (isCertificate(code)) return 'untrustedHost'
  return code === BLOCKED ? 'blocked' : 'away'
}
