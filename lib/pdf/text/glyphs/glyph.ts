/** A glyph on the displayed page. Types only. */
import type { Point } from '../../geometry.ts'

export interface Glyph {
  text: string
  /** The four corners of its box, which is as wide as its advance and as high as its font reaches. */
  corners: readonly Point[]
  /** Where its advance starts and ends, on the baseline. */
  origin: Point
  end: Point
  /** Size of one em as displayed, in points. */
  em: number
}
