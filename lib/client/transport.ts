/** How a request of ours travels: key, time limit, TLS and proxy, the same for every call to one host. Follows no redirect. */
import axios, { type AxiosInstance, type AxiosRequestConfig, type AxiosResponse } from 'axios'
import { withinTime } from '../clock.ts'
import { isCertificate } from './answers/no-answer.ts'
import { type ClientSettings, callTimeout } from './client-settings.ts'
import { UnreachableError } from './errors.ts'
import { observed } from './exchange/observed.ts'
import { requestIdOf } from './exchange/request-id.ts'
import { textsOf } from './exchange/withhold.ts'
import { reporter } from './reporter.ts'

export interface Asked {
  operation: string
  method: string
  /** Follows the base URL, with the names of `params` in place of their values. */
  path: string
  params: object
  query: object | undefined
  body: unknown
}

export interface Answer {
  status: number
  /** The headers by their names in lower case. */
  headers: Readonly<Record<string, unknown>>
  text: string
  /** The host's id of the request; null when the host sent none. */
  requestId: string | null
  /** Every text that was sent, the key among them. */
  sent: readonly string[]
}

export interface Sending {
  signal: AbortSignal | undefined
  timeoutMs: number | undefined
  /** Counted from 1. */
  attemptNumber: number
}

/** Resolves with the answer of any status. Rejects with an UnreachableError, or with the reason of the signal. */
export type Send = (asked: Asked, sending: Sending) => Promise<Answer>

export function createTransport(settings: ClientSettings): Send {
  const { baseUrl, apiKey, clock } = settings
  const http = httpOf(settings)
  const kept = new WeakSet<object>()
  const observers = {
    onRequest: reporter(settings.onRequest),
    onResponse: reporter(settings.onResponse),
    clock,
    server: new URL(baseUrl),
  }
  return async ({ params, query, body, ...asked }, { signal, timeoutMs, attemptNumber }) => {
    const limitMs = callTimeout(timeoutMs, settings)
    return observed({ ...asked, attemptNumber }, observers, async () => {
      const request = { url: baseUrl + filled(asked.path, params), method: asked.method, params: query, data: body }
      // The time limit of axios does not cover a connection that hangs before it is made, so the request has a limit of its own.
      const answered = withinTime(limitMs, signal, (limited) => sent(http, { ...request, signal: limited }, kept))
      const { status, headers, data } = await answered.catch((failure: unknown) => {
        signal?.throwIfAborted()
        throw unreachable(asked.operation, failure)
      })
      const texts = textsOf(apiKey, params, query, body)
      return { status, headers, text: data, requestId: requestIdOf(headers['x-request-id'], texts), sent: texts }
    })
  }
}

/** A host, or what is in front of it, may close as many kept connections at once. */
const MOST_KEPT = 8

/**
 * Sends a request, and a read again when it took a kept connection that turns out to be closed: the host had not begun to answer, and
 * reading twice does no harm.
 * @param kept the connections over which an answer has come
 */
async function sent(
  http: AxiosInstance,
  request: AxiosRequestConfig,
  kept: WeakSet<object>,
): Promise<AxiosResponse<string>> {
  for (let tries = 1; ; tries++) {
    try {
      const answer = await http.request<string>(request)
      const { socket } = (answer.request ?? {}) as { socket?: object | null }
      if (socket) kept.add(socket)
      return answer
    } catch (failure) {
      if (request.method !== 'GET' || tries > MOST_KEPT || !wasReset(failure, kept)) throw failure
    }
  }
}

function wasReset(failure: unknown, kept: WeakSet<object>): boolean {
  const { code = '', request } = failure as { code?: string; request?: { socket?: object | null } }
  return (code === 'ECONNRESET' || code === 'EPIPE') && kept.has(request?.socket ?? {})
}

const filled = (path: string, params: object) =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name as never])))

/** More than the largest document that any known host accepts, as Base64. */
const MAX_RESPONSE_BYTES = 256 * 1024 * 1024

function httpOf({ apiKey, profile, userAgent, httpAgent, httpsAgent, proxy }: ClientSettings): AxiosInstance {
  return axios.create({
    ...(httpAgent && { httpAgent }),
    ...(httpsAgent && { httpsAgent }),
    ...(proxy !== undefined && { proxy }),
    headers: { [profile.apiKeyHeader]: apiKey, accept: 'application/json', 'user-agent': userAgent },
    maxRedirects: 0,
    maxContentLength: MAX_RESPONSE_BYTES,
    maxBodyLength: Number.POSITIVE_INFINITY,
    paramsSerializer: { indexes: null },
    responseType: 'text',
    transformResponse: (body) => body,
    validateStatus: () => true,
  })
}

/** Failures that happen before a request leaves this machine, in any system call. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ERR_INVALID_URL', 'ERR_BAD_REQUEST'])

/** OpenSSL reports this when a server answers the first bytes of TLS in another protocol. */
const NO_TLS = /wrong version number|packet length too long/

/** Returns the error for a failure of axios; it says whether the request may have arrived. */
export function unreachable(name: string, failure: unknown): UnreachableError {
  const { code: given, message = '', cause } = failure as { code?: string; message?: string; cause?: unknown }
  const code = given === 'ERR_CANCELED' || given === 'ECONNABORTED' ? 'ETIMEDOUT' : (given ?? 'ERR_NETWORK')
  const syscall = (cause as NodeJS.ErrnoException | undefined)?.syscall
  const isConnecting = syscall === 'connect' || syscall === 'getaddrinfo'
  // A certificate is judged, and TLS agreed on, before the first byte of the request.
  const isUnsent = NEVER_SENT.has(code) || isConnecting || isCertificate(code) || NO_TLS.test(message)
  return new UnreachableError(name, code, !isUnsent)
}
