/** How failed tries make further ones wait. Pure: no clock, no store; times are milliseconds since 1970. */

/** The tries counted under one name. */
export interface Tries {
  count: number
  firstAt: number
  /** The next try is refused before this time; null when it is not. */
  waitUntil: number | null
  /** Then all of it is forgotten. */
  endsAt: number
}

/** Returns what is known after one more try. `before` is null when there was none, or all were forgotten. */
export type Pace = (before: Tries | null, now: number) => Tries

/** Allows a number of tries in each window, then none until it ends. */
export const limited =
  (allowed: number, windowMs: number): Pace =>
  (before, now) => {
    const count = (before?.count ?? 0) + 1
    const firstAt = before?.firstAt ?? now
    const endsAt = firstAt + windowMs
    return { count, firstAt, waitUntil: count >= allowed ? endsAt : null, endsAt }
  }

const FIRST_DELAY_MS = 1_000

/** Some tries that are free, then each waits twice as long as the one before, up to a longest time: slower, but never none. */
export const slowed =
  (free: number, quietMs: number, longestMs: number): Pace =>
  (before, now) => {
    const count = (before?.count ?? 0) + 1
    const delayMs = Math.min(longestMs, FIRST_DELAY_MS * 2 ** (count - free))
    const waitUntil = count >= free ? now + delayMs : null
    return { count, firstAt: before?.firstAt ?? now, waitUntil, endsAt: now + quietMs }
  }
