/** A clock that moves only when it is told to, so that a test can let days pass in a moment. */
import type { Clock } from '../../../lib/clock.ts'

export interface FakeClock extends Clock {
  /** Lets time pass; whatever is due on the way happens in its order, with all that follows from it. */
  advance(ms: number): Promise<void>
  /** Lets as much time pass as the work needs. */
  until<T>(work: Promise<T>): Promise<T>
  /** Timers that are set at this moment. */
  readonly timers: number
}

export function fakeClock(start = Date.UTC(2026, 0, 15, 9, 30)): FakeClock {
  let now = start
  let count = 0
  const timers = new Map<number, { at: number; callback: () => void }>()

  function after(ms: number, callback: () => void): () => void {
    const id = ++count
    timers.set(id, { at: now + Math.max(0, ms), callback })
    return () => timers.delete(id)
  }

  function takeNext(limit: number): (() => void) | undefined {
    let first: [number, { at: number; callback: () => void }] | undefined
    for (const entry of timers) if (entry[1].at <= limit && (!first || entry[1].at < first[1].at)) first = entry
    if (!first) return undefined
    timers.delete(first[0])
    now = Math.max(now, first[1].at)
    return first[1].callback
  }

  return {
    now: () => now,
    after,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted()
        const cancel = after(ms, resolve)
        signal?.addEventListener('abort', () => {
          cancel()
          reject(signal.reason)
        })
      }),
    async advance(ms) {
      const end = now + ms
      await settle()
      for (let due = takeNext(end); due; due = takeNext(end)) {
        due()
        await settle()
      }
      now = end
    },
    async until(work) {
      let isOver = false
      const over = () => {
        isOver = true
      }
      work.then(over, over)
      for (await settle(); !isOver; await settle()) {
        const due = takeNext(Number.POSITIVE_INFINITY)
        if (due) due()
      }
      return work
    },
    get timers() {
      return timers.size
    },
  }
}

/** Lets everything happen that waits for nothing but its turn. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
