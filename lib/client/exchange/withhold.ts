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

/** A host may repeat a part of a document, so runs of its characters are withheld as well. */
const LONG = 64
/** A longer one is a document, which has no words. */
const LONGEST_PROSE = 100_000
const PIECE = /[A-Za-z0-9+/]{12,}/g

/** Returns the sentence without the values that are in it as whole words, and without parts of texts and of long values. */
export function withhold(sentence: string, values: readonly string[]): string {
  return values.reduce((text, value) => {
    const isLong = value.length > LONG
    const whole = value.length <= LONGEST_PROSE ? withoutWhole(text, value) : text
    const isProse = value.length <= LONGEST_PROSE && (isLong || /\s/.test(value))
    const rest = isProse ? withoutProse(whole, value) : whole
    if (!isLong) return rest
    return rest.replace(PIECE, (piece) => (value.includes(piece) ? '[…]' : piece))
  }, sentence)
}

const withoutWhole = (text: string, value: string): string =>
  value.length > text.length
    ? text
    : text.replace(new RegExp(`(?<![\\p{L}\\p{N}])${escaped(value)}(?![\\p{L}\\p{N}])`, 'giu'), '[…]')

const WORD = /[\p{L}\p{N}]+/gu
/** Fewer words in a row say nothing about a person, unless one of them is a number. */
const RUN = 3
const NUMBER = /\d{3,}/

/** Takes out each run of three words that the value has too, and each of its longer numbers, such as a year. */
function withoutProse(text: string, value: string): string {
  const known = ` ${(value.toLowerCase().match(WORD) ?? []).join(' ')} `
  const words = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({ word: word.toLowerCase(), index }))
  const has = (run: readonly { word: string }[]) => known.includes(` ${run.map(({ word }) => word).join(' ')} `)
  const taken = new Set<number>()
  words.forEach((word, first) => {
    const run = words.slice(first, first + RUN)
    if (run.length === RUN && has(run)) for (const at of run.keys()) taken.add(first + at)
    if (NUMBER.test(word.word) && has([word])) taken.add(first)
  })
  return words
    .reduceRight(
      (rest, { word, index }, at) =>
        taken.has(at) ? `${rest.slice(0, index)}[…]${rest.slice(index + word.length)}` : rest,
      text,
    )
    .replace(/\[…\](?:[^\p{L}\p{N}[]*\[…\])+/gu, '[…]')
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
