/** How a host asks to wait, and what becomes of the calls that wait in the meantime. */
import { grown, honoured, LONGEST_ASKED_MS, SERVICE_BACK_OFF } from '../../back-off.ts'
import { askedPauseMs } from '../asked-pause.ts'
import { RateLimitedError, UnreachableError } from '../errors.ts'

/** There were too many calls (429), or the host is busy for another reason (503) and says for how long. */
export type Refusal = RateLimitedError | UnreachableError

export const isRefusal = (failure: unknown): failure is Refusal =>
  failure instanceof RateLimitedError || (failure instanceof UnreachableError && failure.retryAfterSeconds !== null)

/**
 * Milliseconds until the next call: what the host asked for, an hour at most, or a pause that grows with the refusals in a row. Up to a fifth
 * longer, so that several programs with one key do not come back together.
 */
export function pauseAfter(refusal: Refusal, refusals: number, random: number): number {
  const asked = askedPauseMs(refusal)
  const unasked = asked === null ? grown(SERVICE_BACK_OFF, refusals) : 0
  return honoured(unasked, asked, LONGEST_ASKED_MS, random)
}

/** Returns the error of a call that was not sent, because the host wants to be left alone for longer than its timeout. */
export function likewise(refusal: Refusal, operation: string, seconds: number): Refusal {
  return refusal instanceof RateLimitedError
    ? new RateLimitedError(operation, refusal.errors, seconds)
    : new UnreachableError(operation, refusal.code, false, seconds)
}
