/** How long calls took, as a line for each kind of call. Pure. */

/** The value below which the share of the values lies, 0 to 1; 0 when there are none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

export function latencyLines(latencies: ReadonlyMap<string, readonly number[]>): string[] {
  const ms = (value: number) => `${Math.round(value)} ms`
  return [...latencies].map(
    ([name, times]) =>
      `${name.padEnd(14)} ${String(times.length).padStart(7)} calls   p50 ${ms(percentile(times, 0.5))}   ` +
      `p99 ${ms(percentile(times, 0.99))}   longest ${ms(percentile(times, 1))}`,
  )
}
