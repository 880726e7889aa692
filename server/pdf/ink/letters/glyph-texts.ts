/** Which characters a reader of the PDF finds at which glyph, so that what it reads is what was written. Pure. */

/** Is at a glyph whose characters are found at its neighbour: a reader would make up something for none. */
export const NOTHING = '\u200b'

/** Readers turn the characters of a right-to-left word around, but not those of one glyph; so that glyph has one character. */
const LAM_ALEF: Readonly<Record<string, string>> = { لآ: '\ufef5', لأ: '\ufef7', لإ: '\ufef9', لا: '\ufefb' }

export interface ShapedGlyph {
  codepoint: number
  /** Index into the text of the first character that the glyph belongs to. */
  cluster: number
}

/**
 * Returns the characters of each glyph.
 * @param glyphs from left to right
 * @param nominal the glyph that a character has by itself
 */
export function glyphTexts(
  text: string,
  glyphs: readonly ShapedGlyph[],
  isRightToLeft: boolean,
  nominal: (codePoint: number) => number | undefined,
): string[] {
  // Most lines are letters with a glyph for each.
  if (!isRightToLeft && glyphs.length === text.length && glyphs.every(({ cluster }, i) => cluster === i)) {
    return glyphs.map((_, i) => (isJoiner(text[i]!) ? NOTHING : text[i]!))
  }
  const clusters = new Map<number, ShapedGlyph[]>()
  for (const glyph of glyphs) {
    const own = clusters.get(glyph.cluster)
    if (own) own.push(glyph)
    else clusters.set(glyph.cluster, [glyph])
  }
  const starts = [...clusters.keys()].sort((a, b) => a - b)
  return starts
    .map((start, i) => {
      const own = clusters.get(start)!
      const characters = [...text.slice(start, starts[i + 1]).replace(/[\u200c\u200d]/g, '')]
      return { start, texts: textsOfCluster(characters, own, isRightToLeft, nominal) }
    })
    .sort((a, b) => (isRightToLeft ? b.start - a.start : a.start - b.start))
    .flatMap(({ texts }) => texts)
}

const isJoiner = (character: string) => character === '\u200c' || character === '\u200d'

function textsOfCluster(
  characters: readonly string[],
  glyphs: readonly ShapedGlyph[],
  isRightToLeft: boolean,
  nominal: (codePoint: number) => number | undefined,
): string[] {
  const isNominal = (glyph: ShapedGlyph, i: number) => nominal(characters[i]!.codePointAt(0)!) === glyph.codepoint
  if (!isRightToLeft && glyphs.length === characters.length && glyphs.every(isNominal)) return [...characters]
  const whole = characters.join('')
  const read = isRightToLeft ? (LAM_ALEF[whole] ?? [...characters].reverse().join('')) : whole
  // From right to left a letter comes after its marks.
  const bearer = isRightToLeft ? glyphs.length - 1 : 0
  return glyphs.map((_, i) => (i === bearer && read) || NOTHING)
}
