/**
 * The partner interface as typed methods, one per row of the table. It never repeats a call that changes something: whether a
 * POST may be sent twice is for the caller to know.
 */
import type { CallOf, ResultOf } from '../contract/calls.ts'
import { type Operation, type OperationName, type Operations, operations } from '../contract/operations.ts'
import type { Task } from '../contract/task/task.ts'
import type { HostProfile } from '../profile/host-profile.ts'
import { readAnswer } from './answers/read-answer.ts'
import { readJson } from './answers/read-json.ts'
import { type ClientOptions, clientSettings } from './client-settings.ts'
import { UnexpectedResponseError } from './errors.ts'
import { listParameters, nextPage } from './list/list-pages.ts'
import { type PageQuery, rememberFacts } from './list/page-facts.ts'
import { applyFilters, type TaskQuery } from './list/task-filter.ts'
import { repeated } from './repeated.ts'
import { statusError } from './status-error.ts'
import { type Answer, createTransport } from './transport.ts'

/**
 * A method per operation, which takes what the operation declares, as in `client.readTask({ params: { id: 1001 } })`, and
 * resolves with its parsed answer; undefined where that has no body. Methods reject with an `UnreachableError`, a
 * `RefusedError`, an `UnauthorizedError` or an `UnexpectedResponseError`.
 */
export type Client = {
  [N in keyof Operations]: (
    ...call: Record<never, never> extends CallOf<N> ? [CallOf<N>?, CallOptions?] : [CallOf<N>, CallOptions?]
  ) => Promise<ResultOf<N>>
}

export type { ClientOptions } from './client-settings.ts'

/** Options of a single call, in addition to the parameters of the operation. */
export interface CallOptions {
  /** Ends the call, which then rejects with the reason of the signal. The service may have acted on it all the same. */
  signal?: AbortSignal
  /** Milliseconds that a request of this call may take, in place of the client's limit. */
  timeoutMs?: number
  /** The page that an earlier `listTasks` leads to. `listAll` follows them. */
  page?: PageQuery
}

interface Call {
  params?: object
  query?: object
  body?: unknown
}

/**
 * Returns a client for one host and one key. It connects when it is called.
 * @throws SettingsError that names every setting that is wrong or unknown
 */
export function createClient(options: ClientOptions): Client {
  const settings = clientSettings(options)
  const { profile } = settings
  const send = createTransport(settings)

  const method =
    (operation: OperationName, { method, path }: Operation) =>
    async ({ params = {}, query, body }: Call = {}, { signal, timeoutMs, page }: CallOptions = {}) => {
      const isList = operation === 'listTasks'
      const asked = {
        operation,
        method: method.toUpperCase(),
        path: profile.basePath + path,
        params,
        query: isList ? listParameters(query ?? {}, page, profile.list) : query,
        body,
      }
      const attempt = async (attemptNumber: number) => {
        const answer = await send(asked, { signal, timeoutMs, attemptNumber })
        const result = resultOf(operation, answer, profile)
        return isList ? matching(result as Task[], query ?? {}, { sent: { ...asked.query }, answer, profile }) : result
      }
      return method === 'get' ? repeated(attempt, { ...settings, signal }) : attempt(1)
    }

  return Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [name, method(name as OperationName, operation)]),
  ) as Client
}

/** A signature host does not answer these with a page; another program may well do. */
const NO_SUCH_PATH = new Set([404, 405])

function resultOf(operation: OperationName, answer: Answer, profile: HostProfile): unknown {
  if (NO_SUCH_PATH.has(answer.status) && /^\s*</.test(answer.text))
    throw new UnexpectedResponseError(operation, answer.status, ['the body is a page'], answer.requestId)
  const error = statusError(operation, answer)
  if (error) throw error
  const { status, text, requestId } = answer
  // A host may answer an update with 200 where ours says 204, so any success is read by the one schema of success.
  const read =
    status < 300 ? readAnswer(operation, readJson(text), profile) : { ok: false as const, issues: [`status ${status}`] }
  if (read.ok) return read.result
  throw new UnexpectedResponseError(operation, status, read.issues, requestId)
}

interface Listed {
  sent: Readonly<Record<string, unknown>>
  answer: Answer
  profile: HostProfile
}

/** Returns the tasks that match, even when the host ignored filters; what is known of the page is kept alongside them. */
function matching(listed: Task[], query: TaskQuery, { sent, answer, profile }: Listed): Task[] {
  const { tasks, ...filtered } = applyFilters(listed, query)
  const ids = listed.map(({ taskId }) => taskId)
  const link = answer.headers.link as string | undefined
  rememberFacts(tasks, { ids, ...filtered, ...nextPage({ sent, received: ids.length, link }, profile.list) })
  return tasks
}
