/** A clock that stands still until a test puts it forward. What became due meanwhile is called in its order, each at its own time. */
import type { Clock } from '../../lib/clock.ts'

interface Timer {
  at: number
  callback(): void
}

export class FakeClock implements Clock {
  #now: number
  readonly #timers = new Set<Timer>()

  constructor(start: number | string = '2026-03-02T09:00:00.000Z') {
    this.#now = typeof start === 'number' ? start : Date.parse(start)
  }

  now = (): number => this.#now

  after = (ms: number, callback: () => void): (() => void) => {
    const timer = { at: this.#now + Math.max(ms, 0), callback }
    this.#timers.add(timer)
    return () => void this.#timers.delete(timer)
  }

  sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const cancel = this.after(ms, () => {
        signal?.removeEventListener('abort', stop)
        resolve()
      })
      const stop = () => {
        cancel()
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', stop, { once: true })
    })

  /** Puts the clock forward by `ms`. Callbacks that a callback asks for within that time are called too. */
  advance(ms: number): void {
    const end = this.#now + ms
    for (;;) {
      const [next] = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
      if (!next) break
      this.#timers.delete(next)
      this.#now = Math.max(this.#now, next.at)
      next.callback()
    }
    this.#now = end
  }

  /** Puts the clock forward to a time in ms since 1970; never back. */
  advanceTo(time: number): void {
    this.advance(Math.max(0, time - this.#now))
  }
}
