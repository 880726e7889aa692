/** Calls from a page to its server: sends the session's token with every change, and notices when session or connection end. */
import type { Place } from '../../http/callers/visit.ts'
import { t } from '../words/words.ts'
import { heardTime } from './service-clock.ts'
import { errorInWords } from './text/error-words.ts'
import { fieldNames } from './text/field-names.ts'

export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** 0 when the service did not answer. */
  readonly status: number
  /** Sentences for a person. */
  readonly errors: readonly string[]
  /** The same with the paths of fields, for the author of a file. */
  readonly withPaths: readonly string[]
  constructor(status: number, errors: readonly string[]) {
    const sentences = errors.map((error) => errorInWords(error, fieldNames))
    super(sentences.join(' '))
    this.status = status
    this.errors = sentences
    this.withPaths = errors
  }
}

/** Where a visitor signs in and out, and a page asks who is signed in. */
export const SESSION = '/account/api/session'

let token: string | null = null
let place: Place | null = null
let onSignedOut = (_notice: string) => {}
let onForbidden = () => {}
let isLost = false
const connectionListeners = new Set<() => void>()

/** Says which page this is: each has a session of its own. */
export const rememberPlace = (given: Place) => {
  place = given
}

let organization: string | null = null

/** Says for which sender the control room of a sandbox acts; null for the first one. */
export const rememberOrganization = (given: string | null) => {
  organization = given
}

/** Whether the service did not answer the last call. */
export const isServiceLost = (): boolean => isLost

/** Sets the token that goes with every change; null when no one is signed in. */
export const rememberToken = (given: string | null) => {
  token = given
}

/** Sets the one function that is called when a session has ended, with what its visitor is told. */
export const whenSignedOut = (listener: (notice: string) => void) => {
  onSignedOut = listener
}

/** Sets the one function that is called when a call was forbidden: the session may be another person's by now. */
export const whenForbidden = (listener: () => void) => {
  onForbidden = listener
}

/** Tells the page that its session has ended. */
export const signedOut = (notice: string) => {
  token = null
  onSignedOut(notice)
}

/** Calls back whenever the service stops answering, and when it answers again. Returns a function that ends this. */
export function onConnection(listener: () => void): () => void {
  connectionListeners.add(listener)
  return () => void connectionListeners.delete(listener)
}

/** Notes whether the service answers. */
export function noteConnection(isLostNow: boolean): void {
  if (isLost === isLostNow) return
  isLost = isLostNow
  for (const listener of connectionListeners) listener()
}

/** Statuses with which a proxy answers for a service that is not there. The service itself says with 503 why it cannot do something now. */
const ABSENT = [502, 503, 504]

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

interface ErrorsSaid {
  errors: string[]
}

/** Whether a person is behind a call. Calls that a page makes by itself keep no session alive. */
export interface Cause {
  isUse: boolean
}

/** Returns the JSON of the answer, undefined where there is none. Throws an `ApiError`. */
export async function call<T>(method: Method, path: string, body?: unknown, cause?: Cause): Promise<T> {
  const answer = await send(method, path, body === undefined ? null : JSON.stringify(body), 'application/json', cause)
  const text = await answer.text()
  return (text === '' ? undefined : JSON.parse(text)) as T
}

/** Returns the bytes of the answer. Throws an `ApiError`. */
export const bytesOf = async (path: string): Promise<ArrayBuffer> => (await send('GET', path, null, '')).arrayBuffer()

/** Returns an answer that is a success; throws an `ApiError` for any other. */
export async function send(
  method: Method,
  path: string,
  body: BodyInit | null,
  type: string,
  { isUse }: Cause = { isUse: true },
): Promise<Response> {
  const headers = {
    ...(!isUse && { 'x-page-unattended': '1' }),
    ...(body !== null && { 'content-type': type }),
    ...(method !== 'GET' && token !== null && { 'x-page-token': token }),
    ...(place !== null && { 'x-page-place': place }),
    ...(organization !== null && { 'x-sandbox-organization': organization }),
  }
  const answer = await fetch(path, { method, headers, body }).catch(() => {
    noteConnection(true)
    throw new ApiError(0, [t('service.noAnswer')])
  })
  heardTime(answer.headers.get('x-service-time'))
  const said = answer.ok ? null : await (answer.json() as Promise<Partial<ErrorsSaid>>).catch(() => null)
  noteConnection(ABSENT.includes(answer.status) && !said?.errors)
  if (answer.ok) return answer
  const { errors = [t('service.error', { status: answer.status })] } = said ?? {}
  const failure = new ApiError(answer.status, errors)
  if (answer.status === 403 && token !== null) onForbidden()
  if (answer.status !== 401 || path.startsWith(SESSION)) throw failure
  if (token !== null) signedOut(t('service.sessionEnded'))
  // The sign-in form shows the notice, so the failure itself has nothing to add.
  throw new ApiError(401, [])
}

/** Returns what a person is notified of a failure of any kind. */
export const sentenceOf = (failure: unknown): string =>
  failure instanceof ApiError ? failure.message : t('service.pageError')
