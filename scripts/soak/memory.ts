/** Whether a curve of memory is flat. Pure. */

/** How the curve is judged, for its readers. */
export const RULE =
  'flat: after five minutes of warm-up, the median of the last third of the samples is at most 10 % + 16 MB above that ' +
  'of the first third'

const WARM_UP_MS = 5 * 60_000
const MAY_GROW_SHARE = 0.1
const MAY_GROW_BYTES = 16e6
/** Less after the warm-up tells nothing. */
const LEAST_MS = 3 * 60_000

export interface Judgement {
  /** Null when the run was too short to tell. */
  isFlat: boolean | null
  /** The two medians. */
  earlyBytes: number
  lateBytes: number
}

/** @param samples bytes, one for each `everyMs` from the beginning of the load on */
export function judgeMemory(samples: readonly number[], everyMs: number): Judgement {
  const warm = samples.slice(WARM_UP_MS / everyMs)
  const third = Math.floor(warm.length / 3)
  const earlyBytes = median(warm.slice(0, third))
  const lateBytes = median(warm.slice(-third))
  const isFlat = lateBytes <= earlyBytes * (1 + MAY_GROW_SHARE) + MAY_GROW_BYTES
  return { isFlat: warm.length * everyMs < LEAST_MS ? null : isFlat, earlyBytes, lateBytes }
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

export const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`
