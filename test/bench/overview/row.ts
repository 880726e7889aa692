/** One line of the overview: what a piece of work costs here, and beside it the least that it could cost. Pure. */

export interface Row {
  work: string
  unit: 'ms' | 'MB' | 'per second'
  /** One value for each run. */
  ours: readonly number[]
  /** What is measured beside it in the same runs; null where there is nothing to compare with. */
  floor: { what: string; values: readonly number[] } | null
}

export const RUNS = 5

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]!
}

/** The row in a Markdown table; the ratio is that of the medians. */
export function lineOf({ work, unit, ours, floor }: Row): string {
  const shown = (values: readonly number[]) => `${rounded(median(values))} ${unit} (${spread(values)})`
  const [floorShown, ratio] = floor
    ? [`${shown(floor.values)}: ${floor.what}`, `${(median(ours) / median(floor.values)).toFixed(2)} ×`]
    : ['–', '–']
  return `| ${work} | ${shown(ours)} | ${floorShown} | ${ratio} |`
}

export const spread = (values: readonly number[]): string =>
  `${rounded(Math.min(...values))}–${rounded(Math.max(...values))}`

export const rounded = (value: number): string => (value < 10 ? value.toFixed(1) : value.toFixed(0))
