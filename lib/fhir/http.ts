/** How requests to FHIR and token servers travel: within a time and a size, and to no other origin by a redirect. */
import axios from 'axios'
import { unreachable } from '../client/transport.ts'
import { withinTime } from '../clock.ts'
import { FhirAnswerError } from './fhir-answer-error.ts'
import type { FhirSettings } from './fhir-settings.ts'

export interface HttpRequest {
  /** The name of the call in error messages. */
  operation: string
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  body?: string | undefined
  signal?: AbortSignal | undefined
}

export interface HttpAnswer {
  status: number
  /** The headers by their names in lower case. */
  headers: Readonly<Record<string, unknown>>
  bytes: Buffer
}

/** Resolves with the answer of any status. Rejects with an UnreachableError, a FhirAnswerError, or the reason of the signal. */
export type Http = (request: HttpRequest) => Promise<HttpAnswer>

const MAX_REDIRECTS = 3
const REDIRECTS = [301, 302, 303, 307, 308]

export function createHttp(settings: FhirSettings): Http {
  const once = sender(settings)
  return async (request) => {
    let url = request.url
    for (let left = MAX_REDIRECTS; ; left -= 1) {
      const answer = await once({ ...request, url })
      if (!REDIRECTS.includes(answer.status)) return answer
      const next = URL.parse(String(answer.headers.location ?? ''), url)
      // A request with a body would be sent twice.
      if (request.method !== 'GET' || next?.origin !== new URL(url).origin || left === 0 || leaves(next, url, settings))
        throw new FhirAnswerError(request.operation, answer.status, 'a redirect that is not followed')
      url = next.href
    }
  }
}

/** A token goes to the base alone, and other programs may answer alongside it at the same origin. */
const leaves = (next: URL, url: string, { baseUrl }: FhirSettings): boolean =>
  isBelow(new URL(url), baseUrl) && !isBelow(next, baseUrl)

/** Both as they are requested: the base may be written with capital letters or dots. Some servers read %2F as a slash. */
const isBelow = ({ href, pathname }: URL, baseUrl: string): boolean =>
  href.startsWith(new URL(`${baseUrl}/`).href) && !/%(2f|5c)/i.test(pathname)

function sender({ httpsAgent, proxy, timeoutMs, maxBytes }: FhirSettings): Http {
  const client = axios.create({
    ...(httpsAgent && { httpsAgent }),
    ...(proxy !== undefined && { proxy }),
    maxRedirects: 0,
    maxContentLength: maxBytes,
    maxBodyLength: Number.POSITIVE_INFINITY,
    responseType: 'arraybuffer',
    transformRequest: (body) => body,
    validateStatus: () => true,
  })
  return async ({ operation, method, url, headers, body, signal }) => {
    // The time limit of axios does not cover a connection that hangs before it is made, so the request has a limit of its own.
    const answered = withinTime(timeoutMs, signal, (limited) =>
      client.request<Buffer>({ url, method, headers, data: body, signal: limited }),
    )
    const answer = await answered.catch((failure: Error) => {
      signal?.throwIfAborted()
      if (/maxContentLength/.test(failure.message))
        throw new FhirAnswerError(operation, 200, `the answer is larger than ${maxBytes} bytes`)
      throw unreachable(operation, failure)
    })
    return { status: answer.status, headers: answer.headers, bytes: Buffer.from(answer.data) }
  }
}
