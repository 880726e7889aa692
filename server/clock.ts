/** Time as an argument, so that three days of retries can pass in a test within milliseconds. */

export interface Clock {
  now(): Date
  /** Runs once after so many milliseconds; the answer calls it off. A waiting timer never keeps the process alive. */
  after(ms: number, run: () => void): () => void
}

/** The longest delay that timers of Node.js hold; a longer wait is looked at again when this has passed. */
const LONGEST_MS = 2_147_483_647

export const systemClock: Clock = {
  now: () => new Date(),
  after(ms, run) {
    const timer = setTimeout(run, Math.min(Math.max(ms, 0), LONGEST_MS)).unref()
    return () => clearTimeout(timer)
  },
}
