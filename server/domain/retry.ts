/** When a delivery that failed is tried again. Pure: randomness is an argument. spec: Events › Delivery behavior */

export interface RetryPolicy {
  /** Delay after each failed attempt, the first attempt's first. */
  delaysMs: readonly number[]
  /** Spread on either side, as a share of the delay. */
  jitter: number
  maxRetryAfterMs: number
}

/**
 * Milliseconds until the next attempt, or null when attempt `attemptNumber` (from 1) was the last one. `random` is a number
 * from 0 to 1. A receiver's Retry-After can lengthen the delay up to twice its length, or to a minute where that is more,
 * and is then only spread upwards, so that nobody calls before the time the receiver asked for.
 */
export function retryDelay(
  { delaysMs, jitter, maxRetryAfterMs }: RetryPolicy,
  attemptNumber: number,
  random: number,
  retryAfterMs: number | null = null,
): number | null {
  const base = delaysMs[attemptNumber - 1]
  if (base === undefined) return null
  if (retryAfterMs === null || retryAfterMs <= base) return Math.round(base * (1 - jitter + 2 * jitter * random))
  const honoured = Math.min(retryAfterMs, Math.max(2 * base, 60_000), maxRetryAfterMs)
  return Math.round(honoured * (1 + jitter * random))
}
