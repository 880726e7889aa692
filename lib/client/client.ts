/**
 * The partner interface as typed methods, one per row of the table, over axios. It never repeats a call by itself: whether a
 * POST may be sent twice is for the caller to know.
 */
import type { AxiosResponse } from 'axios'
import type { CallOf, ResultOf } from '../contract/calls.ts'
import { type Operation, type OperationName, operations } from '../contract/operations.ts'
import type { Task } from '../contract/task/task.ts'
import type { HostProfile } from '../profile/host-profile.ts'
import { profileOf } from '../profile/parse-profile.ts'
import { retryAfterMs } from '../retry-after.ts'
import { readAnswer } from './answers/read-answer.ts'
import { UnexpectedResponseError } from './errors.ts'
import { listParameters, nextPage } from './list/list-pages.ts'
import { type PageQuery, rememberFacts } from './list/page-facts.ts'
import { applyFilters, type TaskQuery } from './list/task-filter.ts'
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
  /** For `listTasks`: the page that an earlier one leads to. `listAll` follows them. */
  page?: PageQuery
}

interface Call {
  params?: object
  query?: object
  body?: unknown
}

/** Returns a client for one host and one key. It connects when it is called. Throws a ProfileError when the profile is wrong. */
export function createClient(options: ClientOptions): Client {
  const { baseUrl, apiKey, timeoutMs = TIMEOUT_MS } = options
  const http = createHttp(options)
  const profile = profileOf(options.profile)

  const method =
    (name: OperationName, operation: Operation) =>
    async (call: Call = {}, { signal, page }: CallOptions = {}) => {
      const params: object | undefined =
        name === 'listTasks' ? listParameters(call.query ?? {}, page, profile.list) : call.query
      // The time limit of axios does not cover a connection that hangs before it is made, so the call has a limit of its own.
      const limit = AbortSignal.timeout(timeoutMs)
      const response = await http
        .request<string>({
          url: urlOf(baseUrl, profile.basePath + operation.path, call.params ?? {}),
          method: operation.method,
          params,
          data: call.body,
          signal: signal ? AbortSignal.any([signal, limit]) : limit,
        })
        .catch((failure: unknown) => {
          signal?.throwIfAborted()
          throw unreachable(name, failure)
        })
      const result = answer(name, response, profile, () => textsOf(apiKey, call.query, call.body))
      if (name !== 'listTasks') return result
      return matching(result as Task[], { query: call.query ?? {}, sent: { ...params }, response, profile })
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
  { status, headers, data }: AxiosResponse<string>,
  profile: HostProfile,
  sent: () => readonly string[],
): unknown {
  const waitMs = retryAfterMs(headers['retry-after'], Date.parse(String(headers.date)))
  const body = parsed(data)
  const error = statusError({
    operation: name,
    status,
    reasons: () => sentences(body, status, sent()),
    retryAfterSeconds: waitMs === null ? null : waitMs / 1000,
  })
  if (error) throw error
  // A host may answer an update with 200 where ours says 204, so any success is read by the one schema of success.
  const read = status < 300 ? readAnswer(name, body, profile) : { ok: false as const, issues: [`status ${status}`] }
  if (read.ok) return read.result
  throw new UnexpectedResponseError(name, status, read.issues)
}

interface Listed {
  query: TaskQuery
  sent: Readonly<Record<string, unknown>>
  response: AxiosResponse<string>
  profile: HostProfile
}

/** Returns the tasks that match, whatever the host did with the filters; what is known of the page is kept beside them. */
function matching(listed: Task[], { query, sent, response, profile }: Listed): Task[] {
  const { tasks, ...filtered } = applyFilters(listed, query)
  const ids = listed.map(({ taskId }) => taskId)
  const link = response.headers.link as string | undefined
  rememberFacts(tasks, { ids, ...filtered, ...nextPage({ sent, received: ids.length, link }, profile.list) })
  return tasks
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
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
