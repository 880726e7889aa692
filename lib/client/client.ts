/**
 * The partner interface as typed methods, one per row of the table, over axios. It never repeats a call by itself: whether a
 * POST may be sent twice is for the caller to know.
 */
import type { AxiosResponse } from 'axios'
import type { CallOf, ResultOf } from '../contract/calls.ts'
import { describeIssues } from '../contract/error.ts'
import { type Operation, type OperationName, operations } from '../contract/operations.ts'
import { retryAfterMs } from '../retry-after.ts'
import { UnexpectedResponseError } from './errors.ts'
import { statusError } from './status-error.ts'
import { type ClientOptions, createHttp, TIMEOUT_MS, unreachable } from './transport.ts'
import { textsOf, withhold } from './withhold.ts'

/**
 * A method per operation, which takes what the operation declares, as in `client.readTask({ params: { id: 1001 } })`, and
 * resolves with its parsed answer; undefined where that has no body. Methods reject with an `UnreachableError`, a
 * `RefusedError`, an `UnauthorizedError` or an `UnexpectedResponseError`.
 */
export type Client = {
  [N in OperationName]: (
    ...call: Record<never, never> extends CallOf<N> ? [CallOf<N>?, CallOptions?] : [CallOf<N>, CallOptions?]
  ) => Promise<ResultOf<N>>
}

export type { ClientOptions } from './transport.ts'

export interface CallOptions {
  /** Ends the call, which then rejects with the reason of the signal. The service may have acted on it all the same. */
  signal?: AbortSignal
}

/** Returns a client for one host and one key. It connects when it is called. */
export function createClient(options: ClientOptions): Client {
  const { baseUrl, apiKey, timeoutMs = TIMEOUT_MS } = options
  const http = createHttp(options)

  const method =
    (name: OperationName, operation: Operation) =>
    async (call: { params?: object; query?: object; body?: unknown } = {}, { signal }: CallOptions = {}) => {
      // The time limit of axios does not cover a connection that hangs before it is made, so the call has a limit of its own.
      const limit = AbortSignal.timeout(timeoutMs)
      const response = await http
        .request<string>({
          url: urlOf(baseUrl, operation.path, call.params ?? {}),
          method: operation.method,
          params: call.query,
          data: call.body,
          signal: signal ? AbortSignal.any([signal, limit]) : limit,
        })
        .catch((failure: unknown) => {
          signal?.throwIfAborted()
          throw unreachable(name, failure)
        })
      return answer(name, operation, response, () => textsOf(apiKey, call.query, call.body))
    }

  return Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [name, method(name as OperationName, operation)]),
  ) as Client
}

function urlOf(baseUrl: string, path: string, params: object): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name as never])))
  return `${baseUrl.replace(/\/+$/, '')}${filled}`
}

function answer(
  name: OperationName,
  operation: Operation,
  response: AxiosResponse<string>,
  sent: () => readonly string[],
) {
  const { status, headers } = response
  const waitMs = retryAfterMs(headers['retry-after'], Date.parse(String(headers.date)))
  const body = parsed(response.data)
  const error = statusError({
    operation: name,
    status,
    reasons: () => sentences(body, status, sent()),
    retryAfterSeconds: waitMs === null ? null : waitMs / 1000,
  })
  if (error) throw error

  const schema = status < 300 ? successOf(operation) : undefined
  if (schema === null) return undefined
  const result = schema?.safeParse(unwrapped(body, schema.type))
  if (result?.success) return result.data
  // What the specification leaves unsaid may be anything: the answer to a changed subscription, and that of a health check.
  if (schema && operation.responses[204] === null) return undefined
  if (schema?.safeParse({}).success) return {}
  const issues = result && body !== undefined ? describeIssues(result.error) : ['the body is not the expected JSON']
  throw new UnexpectedResponseError(name, status, issues)
}

/** A host may answer an update with 200 where ours says 204, so any success is read by the one schema of success. */
const successOf = ({ responses }: Operation) => responses[200] ?? responses[201] ?? null

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The specification leaves the envelope of lists unsaid, so a host may wrap the array: the one array inside is the list. */
function unwrapped(body: unknown, wanted: string): unknown {
  if (wanted !== 'array' || Array.isArray(body) || typeof body !== 'object' || body === null) return body
  const arrays = Object.values(body).filter(Array.isArray)
  return arrays.length === 1 ? arrays[0] : body
}

/** The service's own sentences, whatever shape a host gives them, without what was sent; a page of HTML is not repeated. */
function sentences(body: unknown, status: number, sent: readonly string[]): string[] {
  const { errors, message, error, title } = (body ?? {}) as Record<string, unknown>
  const found = [errors, message, error, title]
    .flat()
    .filter((text): text is string => typeof text === 'string' && text !== '')
  return found.length > 0
    ? found.slice(0, 100).map((text) => withhold(text.slice(0, 2000), sent).slice(0, 500))
    : [`the service gave no reason for status ${status}`]
}
