/** How long to leave a service alone that fails for everybody: it is down, or it refuses the key. No clock of its own. */
import { RefusedError, UnauthorizedError, UnreachableError } from './errors.ts'

export interface Outage {
  /** Since the first failure, until `end`. */
  readonly isOn: boolean
  /** Notes one more failure; gives the milliseconds until the next try, longer each time. */
  pauseAfter(failure: unknown): number
  /** The service has answered. */
  end(): void
}

/** The first pause; it doubles. */
const FIRST_PAUSE_MS = 1000
/** The pause after the key was refused, and the longest one of all. */
const LONGEST_PAUSE_MS = 60_000

/** `random` gives numbers from 0 to 1: many who are shut out together do not come back together. */
export function createOutage(random: () => number): Outage {
  let failures = 0
  return {
    get isOn() {
      return failures > 0
    },
    pauseAfter(failure) {
      failures++
      // Retry-After is the least: a host that goes on refusing is asked more and more seldom.
      const pause = Math.max(retryAfterMs(failure) ?? 0, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 10))
      return Math.min(pause, LONGEST_PAUSE_MS) * (0.8 + 0.4 * random())
    },
    end() {
      failures = 0
    },
  }
}

function retryAfterMs(failure: unknown): number | null {
  if (failure instanceof UnauthorizedError) return LONGEST_PAUSE_MS
  if (!(failure instanceof UnreachableError || failure instanceof RefusedError)) return null
  return failure.retryAfterSeconds === null ? null : failure.retryAfterSeconds * 1000
}
