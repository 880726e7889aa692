/** The system's clock, which a test can put forward. */
import { type Clock, systemClock } from '../../lib/clock.ts'

export function shiftedClock(): Clock & { forward(ms: number): void } {
  let shift = 0
  return {
    ...systemClock,
    now: () => systemClock.now() + shift,
    forward(ms) {
      shift += ms
    },
  }
}
