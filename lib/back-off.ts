/** How long to wait before something is tried again: one policy for every part. Pure: randomness is an argument. */

export interface BackOff {
  /** The pause after the first failure. */
  firstMs: number
  longestMs: number
  /** Each pause by the one before; 2 when left out. */
  growth?: number
}

/** What a service that fails is given time by: seconds at first, never more than a minute. */
export const SERVICE_BACK_OFF: BackOff = { firstMs: 1000, longestMs: 60_000 }

/** Spread of a pause on either side, as a share of it, so that many who fail together do not come back together. */
export const JITTER = 0.2

/** The pause after the given number of failures in a row (from 1), before it is spread. */
export const grown = ({ firstMs, longestMs, growth = 2 }: BackOff, failures: number): number =>
  Math.min(firstMs * growth ** (failures - 1), longestMs)

/** `ms` and up to a fifth more or less. `random` is a number from 0 to 1. */
export const spread = (ms: number, random: number): number => Math.round(ms * (1 - JITTER + 2 * JITTER * random))

/**
 * A pause of `ms`, spread; longer when `askedMs` was asked for, up to `longestMs`. What was asked for is only spread upwards,
 * so that nobody comes back too early.
 */
export function honoured(ms: number, askedMs: number | null, longestMs: number, random: number): number {
  if (askedMs === null) return spread(ms, random)
  return Math.round(Math.max(ms, Math.min(askedMs, longestMs)) * (1 + JITTER * random))
}
