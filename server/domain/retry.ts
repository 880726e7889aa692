/** When a delivery that failed is tried again. Pure: randomness is an argument. spec: Events › Delivery behavior */

export interface RetryPolicy {
  /** Delay after each failed attempt, the first attempt's first. */
  delaysMs: readonly number[]
  /** Spread on either side, as a share of the delay. */
  jitter: number
  maxRetryAfterMs: number
}

/**
 * Milliseconds until the next attempt, or null when attempt `attemptNumber` (from 1, in its round) was the last one. `random`
 * is a number from 0 to 1. A receiver's Retry-After can lengthen the delay up to twice its length, or to a minute where that
 * is more, never shorten it, and it is then only spread upwards, so that nobody calls before the time the receiver asked for.
 */
export function retryDelay(
  { delaysMs, jitter, maxRetryAfterMs }: RetryPolicy,
  attemptNumber: number,
  random: number,
  retryAfterMs: number | null = null,
): number | null {
  const base = delaysMs[attemptNumber - 1]
  if (base === undefined) return null
  if (retryAfterMs === null) return Math.round(base * (1 - jitter + 2 * jitter * random))
  const longest = Math.min(Math.max(2 * base, 60_000), maxRetryAfterMs)
  const honoured = Math.max(base, Math.min(retryAfterMs, longest))
  return Math.round(honoured * (1 + jitter * random))
}

/** What a Retry-After header asks for, in ms from `at`: seconds, or a date of HTTP. Null when it says nothing of use. */
export function retryAfter(header: string | undefined, at: number): number | null {
  if (header === undefined) return null
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - at
  return Number.isFinite(ms) && ms > 0 ? ms : null
}
