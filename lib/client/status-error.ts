/** Which error the status of an answer stands for. */
import { RefusedError, UnauthorizedError, UnreachableError } from './errors.ts'

export interface AnswerStatus {
  operation: string
  status: number
  /** Returns the sentences of the error; called only when they are needed. */
  reasons(): readonly string[]
  /** Seconds to wait, when the answer said so. */
  retryAfterSeconds?: number | null
  /** What the host calls the request, when the answer said so. */
  requestId?: string | null
}

/** The status of a proxy that refuses to pass a request on, so the host has not seen it. */
const PROXY_WANTS_PASSWORD = 407

/** Returns the error; null for a status that is no failure. */
export function statusError(answer: AnswerStatus): Error | null {
  const { operation, status, reasons, retryAfterSeconds = null, requestId = null } = answer
  if (status >= 500) return new UnreachableError(operation, `HTTP_${status}`, true, retryAfterSeconds, requestId)
  if (status === PROXY_WANTS_PASSWORD)
    return new UnreachableError(operation, `HTTP_${status}`, false, retryAfterSeconds, requestId)
  if (status === 401 || status === 403)
    return new UnauthorizedError(operation, status, reasons(), retryAfterSeconds, requestId)
  return status >= 400 ? new RefusedError(operation, status, reasons(), retryAfterSeconds, requestId) : null
}
