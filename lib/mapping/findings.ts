/** Collects findings while a message is mapped. Each finding names its place, and repeats no value of a patient. */
import type { Origins } from './mapped.ts'

export interface Findings {
  /** Why nothing is sent. */
  readonly held: readonly string[]
  /** Sentences about values that were omitted or chosen, although the message is sent. */
  readonly warnings: readonly string[]
  /** Where the values of the request come from. */
  readonly origins: Origins
  hold(place: string, reason: string): void
  warn(place: string, what: string): void
  /** Notes where a field of the request comes from, with all that is in it. */
  from(field: string, place: string): void
}

export function createFindings(): Findings {
  const held: string[] = []
  const warnings: string[] = []
  const origins: Record<string, string> = {}
  return {
    held,
    warnings,
    origins,
    hold(place, reason) {
      const finding = `${place}: ${reason}`
      if (!held.includes(finding)) held.push(finding)
    },
    warn: (place, what) => void warnings.push(`${place}: ${what}`),
    from(field, place) {
      origins[field] = place
    },
  }
}

/** A value, and where it is in the message. */
export interface Placed<T> {
  place: string
  value: T
}

/** Returns the entries of a list of the request, and notes where each comes from. */
export function listOf<T>(field: string, entries: readonly Placed<T>[], findings: Findings): T[] {
  for (const [index, { place }] of entries.entries()) findings.from(`${field}[${index}]`, place)
  return entries.map(({ value }) => value)
}
