/** Which error an answer represents: by its status, and in the host's own sentences. */
import { retryAfterMs } from '../retry-after.ts'
import { sentencesOf } from './answers/sentences.ts'
import { RateLimitedError, RefusedError, UnauthorizedError, UnreachableError } from './errors.ts'
import type { Answer } from './transport.ts'

/** The status of a proxy that refuses to pass a request on, so the host has not seen it. */
const PROXY_WANTS_PASSWORD = 407

/**
 * Returns the error; null for a status that is no failure.
 * @param reasons returns the sentences of the error; called only when they are needed
 */
export function statusError(
  operation: string,
  answer: Answer,
  reasons: (answer: Answer) => readonly string[] = sentencesOf,
): Error | null {
  const { status, headers, requestId } = answer
  const waitMs = retryAfterMs(headers['retry-after'], Date.parse(String(headers.date)))
  const retryAfterSeconds = waitMs === null ? null : waitMs / 1000
  if (status >= 500) return new UnreachableError(operation, `HTTP_${status}`, true, retryAfterSeconds, requestId)
  if (status === PROXY_WANTS_PASSWORD)
    return new UnreachableError(operation, `HTTP_${status}`, false, retryAfterSeconds, requestId)
  if (status === 401 || status === 403)
    return new UnauthorizedError(operation, status, reasons(answer), retryAfterSeconds, requestId)
  if (status === 429) return new RateLimitedError(operation, reasons(answer), retryAfterSeconds, requestId)
  return status >= 400 ? new RefusedError(operation, status, reasons(answer), retryAfterSeconds, requestId) : null
}
