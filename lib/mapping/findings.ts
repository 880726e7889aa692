/** What is found while a message is mapped. Each finding names its place, and repeats no value of a patient. */

export interface Findings {
  /** Why nothing is sent. */
  readonly held: readonly string[]
  /** What was left out or chosen, although the message is sent. */
  readonly warnings: readonly string[]
  hold(place: string, reason: string): void
  warn(place: string, what: string): void
}

export function createFindings(): Findings {
  const held: string[] = []
  const warnings: string[] = []
  return {
    held,
    warnings,
    hold: (place, reason) => void held.push(`${place}: ${reason}`),
    warn: (place, what) => void warnings.push(`${place}: ${what}`),
  }
}
