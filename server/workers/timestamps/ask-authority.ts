/** Sends queries to the timestamp authority. Knows nothing of what is in query and answer, follows no redirect, and logs nothing. */
import type { IncomingMessage } from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { rootCertificates } from 'node:tls'
import { isCertificate } from '../../../lib/client/answers/no-answer.ts'
import { MAX_TIMESTAMP_BYTES } from '../../choices.ts'
import type { ProxyPlace } from '../../domain/proxy-place.ts'
import type { TimestampProblem } from '../../domain/timestamp.ts'
import { http } from '../../node-http.ts'
import { tunnelAgent } from '../../tunnel.ts'
import { BLOCKED } from '../delivery/guarded-lookup.ts'

export interface Authority {
  /** The URL, with the user where the authority requires one. */
  url: URL
  password: string | undefined
  /** Name and value of a further header. */
  header: readonly [name: string, value: string] | undefined
  /** The timeout for all of it: name, connection and answer. */
  timeoutMs: number
  /** PEM of authorities that vouch for the host, besides those of Node.js. */
  ca: string | undefined
  lookup: LookupFunction
  /** Through which the host is called; undefined where it is called directly. */
  proxy: ProxyPlace | undefined
}

export type AuthorityAnswer = { answer: Buffer } | { problem: TimestampProblem }

/** Never rejects. */
export function askAuthority(query: Uint8Array, authority: Authority): Promise<AuthorityAnswer> {
  const { url, password, header, timeoutMs, ca, lookup, proxy } = authority
  const signal = AbortSignal.timeout(timeoutMs)
  return new Promise((resolve) => {
    const failed = (failure: NodeJS.ErrnoException) => resolve({ problem: problemOf(failure, signal) })
    const { request: dial } = url.protocol === 'https:' ? https : http
    const request = dial(target(url), {
      method: 'POST',
      headers: {
        'Content-Type': 'application/timestamp-query',
        'Content-Length': query.length,
        Accept: 'application/timestamp-reply',
        ...(header && { [header[0]]: header[1] }),
      },
      ...(url.username !== '' && { auth: `${decodeURIComponent(url.username)}:${password ?? ''}` }),
      ...(ca && { ca: [...rootCertificates, ca] }),
      // The operator has named the authority, and a proxy resolves its name.
      ...(proxy ? { agent: tunnelAgent(url.protocol, proxy) } : { agent: false, lookup }),
      signal,
    })
    request.on('error', failed)
    request.once('response', (answer) => {
      answer.on('error', failed)
      readAnswer(answer, resolve)
    })
    request.end(query)
  })
}

function readAnswer(answer: IncomingMessage, resolve: (answer: AuthorityAnswer) => void): void {
  const chunks: Buffer[] = []
  let bytes = 0
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    chunks.push(chunk)
    if (bytes <= MAX_TIMESTAMP_BYTES) return
    resolve({ problem: 'tooLarge' })
    answer.destroy()
  })
  answer.once('end', () =>
    resolve(answer.statusCode === 200 ? { answer: Buffer.concat(chunks) } : { problem: 'notGiven' }),
  )
}

/** Returns the URL without the user, which goes into a header. */
function target(url: URL): URL {
  const bare = new URL(url)
  bare.username = ''
  return bare
}

function problemOf({ code = '' }: NodeJS.ErrnoException, signal: AbortSignal): TimestampProblem {
  if (signal.aborted) return 'tooSlow'
  if (isCertificate(code)) return 'untrustedHost'
  return code === BLOCKED ? 'blocked' : 'away'
}
