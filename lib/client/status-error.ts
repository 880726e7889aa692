/** The error that the status of an answer stands for: who has to do something about it. */
import { RefusedError, UnauthorizedError, UnreachableError } from './errors.ts'

export interface AnswerStatus {
  operation: string
  status: number
  /** Sentences for the error, asked for only where they are needed. */
  reasons(): readonly string[]
  /** Seconds to wait, when the answer said so. */
  retryAfterSeconds?: number | null
}

/** The status of a proxy that refuses to pass a request on, so the host has not seen it. */
const PROXY_WANTS_PASSWORD = 407

/** Null for a status that is no failure. */
export function statusError({ operation, status, reasons, retryAfterSeconds = null }: AnswerStatus): Error | null {
  if (status >= 500) return new UnreachableError(operation, `HTTP_${status}`, true, retryAfterSeconds)
  if (status === PROXY_WANTS_PASSWORD) return new UnreachableError(operation, `HTTP_${status}`, false)
  if (status === 401 || status === 403) return new UnauthorizedError(operation, status, reasons())
  return status >= 400 ? new RefusedError(operation, status, reasons(), retryAfterSeconds) : null
}
