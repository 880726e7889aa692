/** How a request of ours travels: key, time limit, TLS and proxy, the same for every call to one host. Follows no redirect. */
import type { Agent as HttpAgent } from 'node:http'
import type { Agent as HttpsAgent } from 'node:https'
import axios, { type AxiosInstance, type AxiosProxyConfig } from 'axios'
import type { ProfileInput } from '../profile/host-profile.ts'
import { profileOf } from '../profile/parse-profile.ts'
import { UnreachableError } from './errors.ts'

export interface ClientOptions {
  /** The host, for example `https://sandbox.example.org`; a path in front of `/api/v1` is kept. */
  baseUrl: string
  /** Sent as `x-api-key`, or in the header that the profile names, and nowhere else. */
  apiKey: string
  /** How the host speaks: the header of its key, its base path, its lists; our own service when left out. */
  profile?: ProfileInput
  /** Milliseconds that a call may take, its body included; 30,000 when left out. */
  timeoutMs?: number
  /** Replace the agents of Node.js, for certificates or connections of your own. */
  httpAgent?: HttpAgent
  httpsAgent?: HttpsAgent
  /** A proxy; that of the environment's variables when left out, none when false. */
  proxy?: AxiosProxyConfig | false
}

/** Milliseconds that a call may take when the caller sets no limit. */
export const TIMEOUT_MS = 30_000

/** More than the largest document that any known host accepts, as Base64. */
const MAX_RESPONSE_BYTES = 256 * 1024 * 1024

export function createHttp({
  baseUrl: _,
  apiKey,
  profile,
  timeoutMs = TIMEOUT_MS,
  ...transport
}: ClientOptions): AxiosInstance {
  return axios.create({
    ...transport,
    timeout: timeoutMs,
    headers: { [profileOf(profile).apiKeyHeader]: apiKey, accept: 'application/json' },
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

/** A certificate is judged before the first byte of the request. */
const CERTIFICATE = /CERT|^UNABLE_TO_/

/** Returns the error for a failure of axios; it says whether the request may have arrived. */
export function unreachable(name: string, failure: unknown): UnreachableError {
  const { code: given, cause } = failure as { code?: string; cause?: unknown }
  const code = given === 'ERR_CANCELED' || given === 'ECONNABORTED' ? 'ETIMEDOUT' : (given ?? 'ERR_NETWORK')
  const syscall = (cause as NodeJS.ErrnoException | undefined)?.syscall
  const isUnsent = NEVER_SENT.has(code) || CERTIFICATE.test(code) || syscall === 'connect' || syscall === 'getaddrinfo'
  return new UnreachableError(name, code, !isUnsent)
}
