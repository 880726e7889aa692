/** When a delivery that failed is tried again. Pure: randomness is an argument. spec: Events › Delivery behavior */
import { honoured } from '../../../lib/back-off.ts'

export interface RetryPolicy {
  /** Delay after each failed attempt, the first attempt's first. */
  delaysMs: readonly number[]
  maxRetryAfterMs: number
}

/**
 * Milliseconds until the next attempt, or null when attempt `attemptNumber` (from 1, in its round) was the last one. `random`
 * is a number from 0 to 1. A receiver's Retry-After can lengthen the delay up to twice its length, or to a minute where that
 * is more, never shorten it.
 */
export function retryDelay(
  { delaysMs, maxRetryAfterMs }: RetryPolicy,
  attemptNumber: number,
  random: number,
  retryAfterMs: number | null = null,
): number | null {
  const base = delaysMs[attemptNumber - 1]
  if (base === undefined) return null
  const longest = Math.min(Math.max(2 * base, 60_000), maxRetryAfterMs)
  return honoured(base, retryAfterMs, longest, random)
}
