/** How long to leave a service alone that fails for everybody: it is down, or it refuses the key. No clock of its own. */
import { grown, honoured, SERVICE_BACK_OFF } from '../../back-off.ts'
import { askedPauseMs } from '../asked-pause.ts'
import { UnauthorizedError } from '../errors.ts'

export interface Outage {
  /** Since the first failure, until `end`. */
  readonly isOn: boolean
  /** Counts one more failure. Returns the milliseconds until the next try, longer each time. */
  pauseAfter(failure: unknown): number
  /** The service has answered. */
  end(): void
}

/** `random` gives numbers from 0 to 1. */
export function createOutage(random: () => number): Outage {
  let failures = 0
  return {
    get isOn() {
      return failures > 0
    },
    pauseAfter(failure) {
      failures++
      const { longestMs } = SERVICE_BACK_OFF
      // A key that is refused stays so until someone fixes it, and every further call may lock it.
      const asked = failure instanceof UnauthorizedError ? longestMs : askedPauseMs(failure)
      return honoured(grown(SERVICE_BACK_OFF, failures), asked, longestMs, random())
    },
    end() {
      failures = 0
    },
  }
}
