/** How long a service asked to be left alone, by the error of a call. */
import { RefusedError, UnreachableError } from './errors.ts'

/** Milliseconds; null when it did not say. */
export function askedPauseMs(failure: unknown): number | null {
  if (!(failure instanceof UnreachableError || failure instanceof RefusedError)) return null
  return failure.retryAfterSeconds === null ? null : failure.retryAfterSeconds * 1000
}
