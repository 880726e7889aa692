/** Prepares a text for stamping, and finds the characters that no font can write. Pure; the pages use it too. */

/** Covered characters as code points: first and last of a range, first and last of the next, in rising order. */
export type CoveredCharacters = readonly number[]

/**
 * Returns the text as it is written: composed, each white space but a line break as a space, and without invisible characters. Only
 * joiners stay, because they shape the letters alongside them. No override of direction is left that could disguise what is read.
 * choice: Invisible characters in ink
 */
export const inkText = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/[^\S\n]|(?!\n)\p{Cc}/gu, ' ')

/** Returns the characters of the text that cannot be written, each once and named, such as `‘宀’ (U+5B80)`. */
export function unstampable(text: string, covered: CoveredCharacters): string[] {
  const missing = new Set([...inkText(text)].filter((character) => !isWritten(character, covered)))
  return [...missing].map(named)
}

/** Returns the text with `[U+5B80]` in the place of each character that cannot be written: a certificate has to tell it all the same. */
export const spelledOut = (text: string, covered: CoveredCharacters): string =>
  [...text].map((character) => (isWritten(character, covered) ? character : `[${codeOf(character)}]`)).join('')

/** Returns what to say of a text with such characters, or null when all of it can be written. */
export function unstampableProblem(text: string, covered: CoveredCharacters): string | null {
  const missing = unstampableList(text, covered)
  return missing && `text without ${missing}, for which the service has no font`
}

/** The message about a text that is too long for its box. choice: Long texts in ink */
export const CROWDED_PROBLEM = 'a shorter text: in its box, this one would be too small to be read'

/** Returns the first of the characters that cannot be written, in words, or null when all of the text can be. */
export function unstampableList(text: string, covered: CoveredCharacters, language = 'en'): string | null {
  const missing = unstampable(text, covered)
  if (missing.length === 0) return null
  const more = missing.length > MOST_NAMED ? [`${missing.length - MOST_NAMED} more`] : []
  // Made here, because few texts need it and a start would wait for it.
  const and = new Intl.ListFormat(language, { type: 'conjunction' })
  return and.format([...missing.slice(0, MOST_NAMED), ...more])
}

/** A text in a script without a font has too many to list. */
const MOST_NAMED = 5

function isWritten(character: string, covered: CoveredCharacters): boolean {
  if (character === '\n' || character === '\u200c' || character === '\u200d') return true
  const codePoint = character.codePointAt(0)!
  let [low, high] = [0, covered.length / 2]
  while (low < high) {
    const middle = (low + high) >> 1
    if (covered[2 * middle + 1]! < codePoint) low = middle + 1
    else high = middle
  }
  return covered[2 * low]! <= codePoint
}

function named(character: string): string {
  const code = codeOf(character)
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(character) ? `‘${character}’ (${code})` : code
}

const codeOf = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
