/** A page as the content reader lists it. Types only. */

/** The operators of a page by their numbers, each with its operands. */
export interface OperatorList {
  operators: readonly number[]
  operands: readonly unknown[]
}

/** A glyph of a shown text, its measures in the units of its font. */
export interface ListedGlyph {
  unicode?: string
  width: number
  isSpace?: boolean
  /** The advance and the origin in vertical writing. */
  vmetric?: readonly [advance: number, x: number, y: number]
}

/** A shown text. A number between its glyphs moves back by thousandths of the font size. */
export type ShownText = readonly (ListedGlyph | number | null)[]

export interface ReaderFont {
  name: string
  vertical: boolean
  type3: boolean
  matrix: readonly number[]
  bbox: readonly number[] | undefined
}
