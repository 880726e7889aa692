/** The clocks of the tests: one that stands still until it is put forward, and one that runs on and can be put forward as well. */
import { type Clock, systemClock } from '../../lib/clock.ts'

interface Timer {
  at: number
  callback(): void
}

/** Stands still until a test puts it forward. What became due meanwhile is called in order, each at its own time. */
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

  /** How many timers are set. */
  get timers(): number {
    return this.#timers.size
  }

  /** When the first timer is due, in ms since 1970; undefined when none is set. */
  get next(): number | undefined {
    return this.#first()?.at
  }

  /** Puts the clock forward by `ms`. Callbacks that a callback asks for within that time are called too. */
  advance(ms: number): void {
    const end = this.#now + ms
    while (this.#callNext(end)) {}
    this.#now = end
  }

  /** Puts the clock forward to a time in ms since 1970; never back. */
  advanceTo(time: number): void {
    this.advance(Math.max(0, time - this.#now))
  }

  /** Puts the clock forward by `ms`; all that follows from a callback has happened before the next one is called. */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms
    do await settle()
    while (this.#callNext(end))
    this.#now = end
  }

  /** Puts the clock forward for as long as the work takes, and returns its result. */
  async until<T>(work: Promise<T>): Promise<T> {
    let isOver = false
    const over = () => {
      isOver = true
    }
    work.then(over, over)
    for (await settle(); !isOver; await settle()) this.#callNext(Number.POSITIVE_INFINITY)
    return work
  }

  #first(): Timer | undefined {
    let first: Timer | undefined
    for (const timer of this.#timers) if (!first || timer.at < first.at) first = timer
    return first
  }

  /** Calls the timer that is due first; returns false when none is due by `limit`. */
  #callNext(limit: number): boolean {
    const first = this.#first()
    if (!first || first.at > limit) return false
    this.#timers.delete(first)
    this.#now = Math.max(this.#now, first.at)
    first.callback()
    return true
  }
}

export interface RunningClock extends Clock {
  /** Puts its time forward by `ms`; timers still take as long as they do. */
  advance(ms: number): void
}

/** Runs with the system's clock, for a service whose connections and timers are real. */
export function runningClock(): RunningClock {
  let ahead = 0
  return {
    ...systemClock,
    now: () => systemClock.now() + ahead,
    advance(ms) {
      ahead += ms
    },
  }
}

/** Resolves when everything that only waits for its turn of the event loop has run. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
