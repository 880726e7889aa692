/** How long to wait before something is tried again: one policy for every part. Pure: randomness is an argument. */

export interface BackOff {
  /** The pause after the first failure. */
  firstMs: number
  /** No pause is longer. */
  longestMs: number
  /** The factor from one pause to the next. Optional; 2 by default. */
  growth?: number
}

/** The pauses of calls to a service that fails: a second at first, never more than a minute. */
export const SERVICE_BACK_OFF: BackOff = { firstMs: 1000, longestMs: 60_000 }

/** No service is left alone for longer, whatever it asks for: a maintenance page may name a year. Then one call finds out. */
export const LONGEST_ASKED_MS = 3_600_000

/** The share by which a delay is made longer or shorter, so that callers that fail together do not return together. */
export const JITTER = 0.2

/** Returns the pause in ms after that many failures in a row, from 1, before it is spread. */
export const grown = ({ firstMs, longestMs, growth = 2 }: BackOff, failures: number): number =>
  Math.min(firstMs * growth ** (failures - 1), longestMs)

/** Returns `ms`, up to a fifth longer or shorter. `random` is a number from 0 to 1. */
export const spread = (ms: number, random: number): number => Math.round(ms * (1 - JITTER + 2 * JITTER * random))

/**
 * Returns a pause of `ms`, spread; a longer one when the service asked for `askedMs`, up to `longestMs`. What was asked for is
 * only spread upwards, so that no one comes back too early.
 */
export function honoured(ms: number, askedMs: number | null, longestMs: number, random: number): number {
  if (askedMs === null) return spread(ms, random)
  return Math.round(Math.max(ms, Math.min(askedMs, longestMs)) * (1 + JITTER * random))
}
