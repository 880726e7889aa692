/** Calls of a page to its server. Sends the session's token with every change; tells when the session or the connection ends. */

export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** Sentences for a person. */
  readonly errors: readonly string[]
  constructor(status: number, errors: readonly string[]) {
    super(errors.join(' '))
    this.status = status
    this.errors = errors
  }
}

/** Where one signs in and out, and asks who is signed in. */
export const SESSION = '/account/api/session'

let token: string | null = null
let onSignedOut = (_notice: string) => {}
let isLost = false
let onFound = () => {}

export const rememberToken = (given: string | null) => {
  token = given
}

/** Called once when a session has ended, with what its visitor is told. */
export const whenSignedOut = (listener: (notice: string) => void) => {
  onSignedOut = listener
}

export const signedOut = (notice: string) => {
  token = null
  onSignedOut(notice)
}

/** Called when the service answers after it did not. */
export const whenFound = (listener: () => void) => {
  onFound = listener
}

/** A proxy gives these for a service that is not there. */
const ABSENT = [502, 503, 504]

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** The JSON of the answer; undefined where there is none. */
export async function call<T>(method: Method, path: string, body?: unknown): Promise<T> {
  const answer = await send(method, path, body === undefined ? null : JSON.stringify(body), 'application/json')
  const text = await answer.text()
  return (text === '' ? undefined : JSON.parse(text)) as T
}

export const bytesOf = async (path: string): Promise<ArrayBuffer> => (await send('GET', path, null, '')).arrayBuffer()

export async function send(method: Method, path: string, body: BodyInit | null, type: string): Promise<Response> {
  const headers = {
    ...(body !== null && { 'content-type': type }),
    ...(method !== 'GET' && token !== null && { 'x-page-token': token }),
  }
  const answer = await fetch(path, { method, headers, body }).catch(() => {
    isLost = true
    throw new ApiError(0, ['The service does not answer. Check the connection, then try again.'])
  })
  const wasLost = isLost
  isLost = ABSENT.includes(answer.status)
  if (wasLost && !isLost) onFound()
  if (answer.ok) return answer
  const { errors } = await (answer.json() as Promise<{ errors: string[] }>).catch(() => ({
    errors: [`The service answered ${answer.status}. Try again later.`],
  }))
  const failure = new ApiError(answer.status, errors)
  if (answer.status !== 401 || path === SESSION) throw failure
  if (token !== null) signedOut('Your session has ended. Sign in again.')
  // The page to sign in says it; there is nothing to say beside it.
  throw new ApiError(401, [])
}

/** What a person is told of any failure. */
export const sentenceOf = (failure: unknown): string =>
  failure instanceof ApiError ? failure.message : 'This page failed. Load it again, and try once more.'
