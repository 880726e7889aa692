/** Characters that a value cannot hold as they are, and how they are written. Values are unescaped after a message was split. */
import { type Delimiters, usualDelimiters } from './delimiters.ts'
import { countIn, HL7_LIMITS, tooMany } from './limits.ts'

/** Turns the bytes of `\X…\` into text. */
export type DecodeBytes = (bytes: Uint8Array) => string

/** The letter between two escape characters, for each delimiter. */
const letters = {
  F: 'field',
  S: 'component',
  T: 'subcomponent',
  R: 'repetition',
  E: 'escapeCharacter',
  P: 'truncation',
} as const satisfies Record<string, keyof Delimiters>

/** Escapes that the standard has and that mean nothing in plain text: highlighting, character sets, formats, the senders' own. */
const FORMATTING = /^(?:[HN]|[CM][0-9A-Fa-f]+|[XZ][^ ]*|\.[a-z]{2}[+-]?\d*)$/

/**
 * Returns the value as it is meant: delimiters, bytes in hexadecimal digits, and line breaks (`\.br\`) in place of their escapes.
 * All else is kept as it is: other escapes, such as `\H\`, and unescaped escape characters, as in `\\server\share`. Throws
 * `Hl7Error` when there are more escapes than are read.
 */
export function readEscapes(value: string, delimiters: Delimiters, decode: DecodeBytes): string {
  const { escapeCharacter: mark } = delimiters
  if (!value.includes(mark)) return value
  // An escape has two marks.
  const most = 2 * HL7_LIMITS.escapes
  if (countIn(value, mark, most) > most) throw tooMany('A value', 'escapes')
  const parts = value.split(mark)
  let text = parts[0]!
  for (let at = 1; at < parts.length; at++) {
    const sequence = parts[at]!
    // An escape needs its end, so the last part cannot be one.
    const meaning = at + 1 < parts.length ? meaningOf(sequence, delimiters, decode) : null
    if (meaning === null) text += mark + sequence
    else text += meaning + parts[++at]!
  }
  return text
}

/** Returns what the characters between two escape characters mean; null when they are not an escape. */
export function meaningOf(sequence: string, delimiters: Delimiters, decode: DecodeBytes): string | null {
  if (Object.hasOwn(letters, sequence)) {
    const character = delimiters[letters[sequence as keyof typeof letters]]
    if (character !== null) return character
  }
  if (sequence.toLowerCase() === '.br') return '\n'
  if (/^X(?:[0-9A-Fa-f]{2})+$/.test(sequence)) return decode(Buffer.from(sequence.slice(1), 'hex'))
  const { escapeCharacter: mark } = delimiters
  return FORMATTING.test(sequence) ? mark + sequence + mark : null
}

/** Returns a function that writes a value so that `readEscapes` gives it back: no delimiter and no control character stays as it is. */
export const escaper = (delimiters: Delimiters = usualDelimiters): ((value: string) => string) =>
  replacer(delimiters, Object.values(letters))

/**
 * Returns a function that writes a value that has its escapes already, as it came: `\H\` stays highlighting, and `\E\H\E\` text. A
 * delimiter or control character that cannot have come in a value is escaped all the same.
 */
export const escapedWriter = (delimiters: Delimiters): ((value: string) => string) =>
  replacer(delimiters, ['field', 'component', 'subcomponent', 'repetition'])

/** Returns a function that writes a field as it came: with its delimiters and escapes, and without control characters. */
export const rawWriter = (delimiters: Delimiters): ((field: string) => string) => replacer(delimiters, [])

function replacer(delimiters: Delimiters, replaced: readonly (keyof Delimiters)[]): (value: string) => string {
  const { escapeCharacter: mark } = delimiters
  const written = new Map<string, string>()
  for (const [letter, name] of Object.entries(letters)) {
    const character = delimiters[name]
    if (character !== null && replaced.includes(name)) written.set(character, mark + letter + mark)
  }
  const hexadecimal = (character: string) => `${mark}X${Buffer.from(character).toString('hex').toUpperCase()}${mark}`
  return (value) => {
    let text = ''
    let from = 0
    for (let at = 0; at < value.length; at++) {
      const character = value[at]!
      const instead = written.get(character) ?? (isControl(character) ? hexadecimal(character) : null)
      if (instead === null) continue
      text += value.slice(from, at) + instead
      from = at + 1
    }
    return text + value.slice(from)
  }
}

const isControl = (character: string): boolean => character < ' ' || character === '\x7f'
