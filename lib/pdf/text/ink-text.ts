/** What of a text is written as ink, and which of its characters no font can write. Pure; the pages use it too. */

/** Covered characters as code points: first and last of a range, first and last of the next, in rising order. */
export type CoveredCharacters = readonly number[]

/**
 * Returns the text as it is written: composed, each white space but a line break as a space, and without invisible characters. Only
 * joiners stay, because they shape the letters beside them. No override of direction is left that could disguise what is read.
 * choice: Invisible characters in ink
 */
export const inkText = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\r\n?/g, '\n')
    .replace(/[^\S\n]|(?!\n)\p{Cc}/gu, ' ')
    .replace(/(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}/gu, '')

/** Returns the characters of the text that cannot be written, each once and named, such as `‘宀’ (U+5B80)`. */
export function unstampable(text: string, covered: CoveredCharacters): string[] {
  const missing = new Set([...inkText(text)].filter((character) => !isWritten(character, covered)))
  return [...missing].map(named)
}

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
  const code = `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(character) ? `‘${character}’ (${code})` : code
}
