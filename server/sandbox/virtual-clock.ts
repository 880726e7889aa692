/**
 * A clock that can be put forward, so that three days of retries pass in a moment. It runs by itself, and goes back only to where it
 * began.
 */
import type { Clock } from '../../lib/clock.ts'

export interface VirtualClock extends Clock {
  /** Milliseconds that it is ahead of the clock on which it is based. */
  readonly aheadMs: number
  /** Puts it forward to a time in milliseconds since 1970. Timers that fall due on the way are called in their order. */
  jumpTo(time: number): void
  /** Puts it back to the time of the clock on which it is based. Timers fall due as long after that as they would have now. */
  goBack(): void
}

interface Timer {
  at: number
  callback(): void
  cancel(): void
}

export function createVirtualClock(base: Clock, aheadMs = 0): VirtualClock {
  let ahead = aheadMs
  const timers = new Set<Timer>()
  const now = () => base.now() + ahead

  function arm(timer: Timer): void {
    timer.cancel = base.after(timer.at - now(), () => call(timer))
  }
  function call(timer: Timer): void {
    timers.delete(timer)
    timer.callback()
  }
  function after(ms: number, callback: () => void): () => void {
    const timer: Timer = { at: now() + Math.max(ms, 0), callback, cancel: () => {} }
    timers.add(timer)
    arm(timer)
    return () => {
      timers.delete(timer)
      timer.cancel()
    }
  }

  return {
    now,
    after,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const stop = () => {
          cancel()
          reject(signal?.reason)
        }
        const cancel = after(ms, () => {
          signal?.removeEventListener('abort', stop)
          resolve()
        })
        signal?.addEventListener('abort', stop, { once: true })
      }),
    get aheadMs() {
      return ahead
    },
    goBack() {
      const back = ahead
      ahead = 0
      for (const timer of timers) {
        timer.cancel()
        timer.at -= back
        arm(timer)
      }
    },
    jumpTo(time) {
      if (time <= now()) return
      ahead = time - base.now()
      const waiting = [...timers].sort((a, b) => a.at - b.at)
      for (const timer of waiting) timer.cancel()
      for (const timer of waiting) if (timers.has(timer)) timer.at <= time ? call(timer) : arm(timer)
    },
  }
}
