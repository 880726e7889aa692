/** Collects what is found while a message is mapped. Each finding names its place, and repeats no value of a patient. */
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

/** How many reasons and warnings are kept. A person reads no more of them, and a hostile message has one for each of its segments. */
export const MOST_FINDINGS = 100
const MORE = 'More was found, which is not listed; correct these first.'

/** Adds a finding, unless it is there already or there are too many. */
function addTo(found: string[], finding: string): void {
  if (found.length > MOST_FINDINGS || found.includes(finding)) return
  found.push(found.length === MOST_FINDINGS ? MORE : finding)
}

export function createFindings(): Findings {
  const held: string[] = []
  const warnings: string[] = []
  const origins: Record<string, string> = {}
  return {
    held,
    warnings,
    origins,
    hold: (place, reason) => addTo(held, `${place}: ${reason}`),
    warn: (place, what) => addTo(warnings, `${place}: ${what}`),
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
