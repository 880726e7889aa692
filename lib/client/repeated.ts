/** Repeats a call that changes nothing, as long as it fails in a way that passes. */
import { grown, honoured, SERVICE_BACK_OFF } from '../back-off.ts'
import type { Clock } from '../clock.ts'
import { askedPauseMs } from './asked-pause.ts'
import { RefusedError, UnreachableError } from './errors.ts'

export interface Repeating {
  /** Attempts after the first one. */
  retries: number
  clock: Clock
  random: () => number
  /** Ends the pauses. */
  signal: AbortSignal | undefined
}

/** Settles as the last attempt does, or rejects with the reason of the signal. */
export async function repeated<T>(
  attempt: (attemptNumber: number) => Promise<T>,
  { retries, clock, random, signal }: Repeating,
): Promise<T> {
  for (let attemptNumber = 1; attemptNumber <= retries; attemptNumber++) {
    try {
      return await attempt(attemptNumber)
    } catch (failure) {
      const pauseMs = pauseAfter(failure, attemptNumber, random)
      if (pauseMs === null) throw failure
      await clock.sleep(pauseMs, signal)
    }
  }
  return attempt(retries + 1)
}

const TOO_MANY_REQUESTS = 429

/** Returns the pause before the next attempt; null when there is to be none. */
function pauseAfter(failure: unknown, attemptNumber: number, random: () => number): number | null {
  const isBusy = failure instanceof RefusedError && failure.status === TOO_MANY_REQUESTS
  if (!isBusy && !(failure instanceof UnreachableError)) return null
  const askedMs = askedPauseMs(failure)
  const { longestMs } = SERVICE_BACK_OFF
  // The caller learns how long to wait, instead of waiting without success or coming back too early.
  if (askedMs !== null && askedMs > longestMs) return null
  return honoured(grown(SERVICE_BACK_OFF, attemptNumber), askedMs, longestMs, random())
}
