/** The letters of PDF syntax: white space, delimiters, and what lies between two tokens. ISO 32000-1, 7.2. */

const table = (letters: string): Uint8Array => {
  const found = new Uint8Array(256)
  for (const letter of letters) found[letter.charCodeAt(0)] = 1
  return found
}
const whiteSpace = table('\0\t\n\f\r ')
const delimiters = table('()<>[]{}/%')

/** Both are false beyond the end, where the byte is undefined. */
export const isWhiteSpace = (byte: number | undefined): boolean => whiteSpace[byte ?? 256] === 1
export const isRegular = (byte: number | undefined): boolean =>
  byte !== undefined && whiteSpace[byte] === 0 && delimiters[byte] === 0
export const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39

export function skipWhiteSpace(bytes: Buffer, from: number): number {
  let at = from
  while (isWhiteSpace(bytes[at])) at++
  return at
}

/** White space and comments, which end with their line. */
export function skipBetween(bytes: Buffer, from: number): number {
  let at = skipWhiteSpace(bytes, from)
  while (bytes[at] === 0x25) {
    while (at < bytes.length && bytes[at] !== 0x0a && bytes[at] !== 0x0d) at++
    at = skipWhiteSpace(bytes, at)
  }
  return at
}

/** Where the run of regular letters that begins here ends. */
export function endOfRegular(bytes: Buffer, from: number): number {
  let at = from
  while (isRegular(bytes[at])) at++
  return at
}

/** The end of this word, when it is here and no other letter follows; otherwise null. */
export function wordAt(bytes: Buffer, at: number, word: string): number | null {
  const end = at + word.length
  for (let i = 0; i < word.length; i++) if (bytes[at + i] !== word.charCodeAt(i)) return null
  return isRegular(bytes[end]) ? null : end
}

/** Returns the number that is here, digits and nothing else, and where it ends; null when none does. */
export function wholeNumberAt(bytes: Buffer, at: number): { value: number; end: number } | null {
  let end = at
  while (end - at < 16 && isDigit(bytes[end])) end++
  if (end === at || end - at > 15 || isRegular(bytes[end])) return null
  return { value: Number(bytes.toString('latin1', at, end)), end }
}
