/** The characters that divide a message. Each message names its own, in MSH-1 and MSH-2. */
import { Hl7Error } from './hl7-error.ts'

/** One character each. */
export interface Delimiters {
  field: string
  component: string
  repetition: string
  escapeCharacter: string
  subcomponent: string
  /** Marks a value that was cut short; since version 2.7, and null where MSH-2 has no fifth character. */
  truncation: string | null
}

/** The delimiters that nearly every sender uses. */
export const usualDelimiters: Readonly<Delimiters> = {
  field: '|',
  component: '^',
  repetition: '~',
  escapeCharacter: '\\',
  subcomponent: '&',
  truncation: null,
}

/** Returns MSH-2. */
export const encodingCharacters = ({
  component,
  repetition,
  escapeCharacter,
  subcomponent,
  truncation,
}: Delimiters): string => `${component}${repetition}${escapeCharacter}${subcomponent}${truncation ?? ''}`

/** All else of ASCII may be in values; other characters are different bytes in different character sets. */
const PUNCTUATION = /^[!-/:-@[-`{-~]$/

/**
 * Returns the delimiters that the header names. Senders may omit those at the end of MSH-2 that they do not use.
 * Throws `Hl7Error` when the text does not begin with MSH, or names a character twice, or one that cannot divide anything.
 */
export function delimitersOf(text: string): Delimiters {
  if (/^[FB]HS/.test(text))
    throw new Hl7Error(
      'The message does not begin with MSH: it is a batch (FHS, BHS). Let the sender send each message by itself.',
    )
  if (!text.startsWith('MSH')) throw new Hl7Error('The message does not begin with MSH.')
  const field = text[3] ?? ''
  const end = text.indexOf(field, 4)
  const named = field === '' || end < 0 ? '' : text.slice(4, end)
  if (!/^.{2,5}$/.test(named))
    throw new Hl7Error('MSH-2 does not hold the four or five characters that divide a message.')
  const [component = '', repetition = '', escapeCharacter = '\\', subcomponent = '&', truncation = null] = named
  const all = [
    field,
    component,
    repetition,
    escapeCharacter,
    subcomponent,
    ...(truncation === null ? [] : [truncation]),
  ]
  if (new Set(all).size < all.length) throw new Hl7Error('MSH-1 and MSH-2 name the same character twice.')
  if (!all.every((character) => PUNCTUATION.test(character)))
    throw new Hl7Error(
      'MSH-1 or MSH-2 names a letter, a digit, a blank, a control character or one outside of ASCII, which cannot divide a message.',
    )
  return { field, component, repetition, escapeCharacter, subcomponent, truncation }
}
