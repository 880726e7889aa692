/** One timer that can be moved. */
import type { Clock } from '../../clock.ts'

export interface Alarm {
  /** Rings at `at`, milliseconds since 1970, instead of when it was set to; never when undefined. */
  set(at: number | undefined): void
}

export function createAlarm(clock: Clock, ring: () => void): Alarm {
  let timer: { at: number; cancel: () => void } | undefined
  return {
    set(at) {
      if (timer?.at === at) return
      timer?.cancel()
      timer = undefined
      if (at === undefined) return
      const cancel = clock.after(at - clock.now(), () => {
        timer = undefined
        ring()
      })
      timer = { at, cancel }
    },
  }
}
