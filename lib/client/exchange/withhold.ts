/**
 * Takes what the caller sent out of what a service says about it. Errors are logged and shown to many, and a host may well
 * repeat a name, a birth date or the key in its refusal.
 */
import { placementTypes } from '../../contract/task/annotations.ts'
import { fieldTypes } from '../../contract/task/field-kinds.ts'
import { Sex } from '../../contract/task/patient.ts'
import { taskStatuses } from '../../contract/task/task-status.ts'

/** Words of the interface: a refusal that lists the allowed values must stay readable. */
const WORDS: ReadonlySet<string> = new Set([
  ...Sex.options,
  ...taskStatuses,
  ...fieldTypes,
  ...placementTypes,
  'ssn',
  'ssn4',
  'mrn',
])

/** A longer value, such as a document, is not looked for as a whole: any piece of it is taken out. */
const LONG = 64
const PIECE = /[A-Za-z0-9+/]{12,}/g

/** Returns the sentence without the values that stand in it as whole words, and without pieces of long ones. */
export function withhold(sentence: string, values: readonly string[]): string {
  return values.reduce((text, value) => {
    if (value.length > LONG) return text.replace(PIECE, (piece) => (value.includes(piece) ? '[…]' : piece))
    return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])${escaped(value)}(?![\\p{L}\\p{N}])`, 'giu'), '[…]')
  }, sentence)
}

/** Returns every text in a request that is no word of the interface, the longest first, so that no part of one is left. */
export function textsOf(...parts: unknown[]): string[] {
  const found = new Set<string>()
  const walk = (part: unknown): void => {
    if (typeof part === 'string' && part.trim().length > 1 && !WORDS.has(part)) found.add(part.trim())
    else if (typeof part === 'object' && part !== null) Object.values(part).forEach(walk)
  }
  parts.forEach(walk)
  return [...found].sort((a, b) => b.length - a.length)
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
