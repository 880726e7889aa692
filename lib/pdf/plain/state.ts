/** The graphics state while the content of a page is followed: the parts of it that decide what is plain. ISO 32000-1, 8.4.1. */
import type { PDFDict } from 'pdf-lib'
import { identity, type Matrix } from '../matrix.ts'
import type { ColorSpace } from './color-space.ts'

export interface State {
  matrix: Matrix
  fill: ColorSpace
  stroke: ColorSpace
  /** Whether a color was set since the color space was. */
  isFillSet: boolean
  isStrokeSet: boolean
  /** Whether the color is black, as at the beginning of a page. */
  isFillBlack: boolean
  isStrokeBlack: boolean
  font: PDFDict | null
  /** The size of the font, and by how much its letters are stretched, as set by `Tf` and `Tz`. */
  size: number
  stretch: number
  /** How letters are drawn: filled, stroked, or not at all. */
  mode: number
  /** The width of lines, in the space of `matrix`. */
  width: number
  /** How opaque areas and lines are. */
  fillOpacity: number
  strokeOpacity: number
  isDashed: boolean
  /** Whether inks leave what is below them, which only some viewers do. */
  overprints: boolean
  /** Those of `TL`, `Ts` and `Tz` that differ from a new page, or that a form has from outside, which PDFium does not give it. */
  movesText: ReadonlySet<string>
  /** Those that a form has from outside and has not set. */
  unsureText: ReadonlySet<string>
}

/** The parts of the state that a form inherits and that decide what it may draw. */
export type Inherited = Pick<
  State,
  | 'matrix'
  | 'width'
  | 'fillOpacity'
  | 'strokeOpacity'
  | 'isDashed'
  | 'overprints'
  | 'movesText'
  | 'isFillSet'
  | 'isStrokeSet'
  | 'isFillBlack'
  | 'isStrokeBlack'
>

export const GRAY: ColorSpace = { components: 1 }
const FROM_OUTSIDE: ColorSpace = { components: 0 }
export const initial = (inherited: Inherited, isForm: boolean): State => ({
  ...inherited,
  fill: isForm ? FROM_OUTSIDE : GRAY,
  stroke: isForm ? FROM_OUTSIDE : GRAY,
  font: null,
  size: 0,
  stretch: 1,
  mode: 0,
  unsureText: inherited.movesText,
})

export const onNewPage: Inherited = {
  matrix: identity,
  width: 1,
  fillOpacity: 1,
  strokeOpacity: 1,
  isDashed: false,
  overprints: false,
  movesText: new Set(),
  isFillSet: true,
  isStrokeSet: true,
  isFillBlack: true,
  isStrokeBlack: true,
}
