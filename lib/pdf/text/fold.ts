/** One folding for the text of a page and for what is looked for in it, so that only visible characters count. */

/** White space, soft hyphens, joiners, selectors of a variant, marks of direction, and whatever else Unicode says is not shown. */
const INVISIBLE = /[\s\0\p{Default_Ignorable_Code_Point}]/gu

/**
 * NFKC without invisible characters: ligatures fall apart, "fi" is "fi", and no producer's spacing matters. Dashes and quotation marks
 * are those of a keyboard, because word processors replace what people type.
 */
export function fold(text: string): string {
  if (text.length > SHORT) return foldAnew(text)
  const known = folded.get(text)
  if (known !== undefined) return known
  const result = foldAnew(text)
  if (folded.size < 20_000) folded.set(text, result)
  return result
}

const foldAnew = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .replace(DASHES, '-')
    .replace(SINGLE_QUOTES, "'")
    .replace(DOUBLE_QUOTES, '"')

const DASHES = /[\u2010-\u2015\u2043\u2212\ufe58\ufe63\uff0d]/g
const SINGLE_QUOTES = /[\u2018-\u201b\u2032\u2035\u02b9\u02bc\u0060\u00b4]/g
const DOUBLE_QUOTES = /[\u201c-\u201f\u2033\u2036]/g

/** The same without hyphens: some producers write them as soft hyphens, others break words with them. */
export const foldWithoutHyphens = (text: string): string => fold(text).replaceAll('-', '')

/** Glyphs are one to four characters long and come back by the thousand. */
const SHORT = 4
const folded = new Map<string, string>()

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

export const isRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text)

export const reversed = (text: string): string => [...text].reverse().join('')
