/** Time as an argument: what waits takes a clock, so that a test can make three days pass in a moment. */
import { setTimeout as pause } from 'node:timers/promises'

/** Where the time comes from, so that a test can decide about it. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number
  /** Calls back once after `ms`. Returns a function that cancels it. */
  after(ms: number, callback: () => void): () => void
  /** Resolves after `ms`; rejects with the reason of the signal when that comes first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** The longest time a timer of Node can wait; a longer one would fire at once. */
const LONGEST_MS = 2_147_483_647

/** The clock of this machine. */
export const systemClock: Clock = {
  now: Date.now,
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(Math.max(ms, 0), LONGEST_MS))
    return () => clearTimeout(timer)
  },
  async sleep(ms, signal) {
    await pause(Math.min(Math.max(ms, 0), LONGEST_MS), undefined, signal && { signal }).catch((failure: unknown) => {
      signal?.throwIfAborted()
      throw failure
    })
  },
}

/** Calls `work` with a signal that is aborted after `ms`, or when `signal` is, whichever comes first. */
export const withinTime = <T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (limited: AbortSignal) => Promise<T>,
): Promise<T> =>
  withSignals([signal], async (limited, abort) => {
    const timeout = () => abort(new DOMException('The time limit is over.', 'TimeoutError'))
    const timer = setTimeout(timeout, Math.min(ms, LONGEST_MS))
    try {
      return await work(limited)
    } finally {
      clearTimeout(timer)
    }
  })

/**
 * Calls `work` with a signal that is aborted when one of `signals` is. Node.js before 22.16 collects the signals of
 * `AbortSignal.any` with their timers (nodejs/node#57736), so a timeout built on them may never fire.
 */
export async function withSignals<T>(
  signals: readonly (AbortSignal | undefined)[],
  work: (joined: AbortSignal, abort: (reason: unknown) => void) => Promise<T>,
): Promise<T> {
  for (const signal of signals) signal?.throwIfAborted()
  const [joined, ended] = [new AbortController(), new AbortController()]
  for (const signal of signals)
    signal?.addEventListener('abort', () => joined.abort(signal.reason), { once: true, signal: ended.signal })
  try {
    return await work(joined.signal, (reason) => joined.abort(reason))
  } finally {
    ended.abort()
  }
}

/** The clock's reading as a date. */
export const timeOf = (clock: Clock): Date => new Date(clock.now())
