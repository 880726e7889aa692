/** The state of a replay of the text operators of a page. */
import { identity, type Matrix } from '../../matrix.ts'
import type { FontExtents } from '../font-extents.ts'
import type { Glyph } from './glyph.ts'
import type { ReaderFont } from './operator-list.ts'

export interface Replay {
  /** Maps user space to the displayed page. */
  readonly view: Matrix
  readonly fontNamed: (name: string) => ReaderFont | null
  readonly extents: FontExtents
  /** Found so far. */
  readonly glyphs: Glyph[]
  readonly saved: GraphicsState[]
  state: GraphicsState
  /** The text matrices are no part of the graphics state: q and Q leave them alone. */
  text: Matrix
  line: Matrix
}

/** The part of the graphics state that text depends on. ISO 32000-1, 9.3. */
export interface GraphicsState {
  ctm: Matrix
  font: ReaderFont | null
  size: number
  charSpace: number
  wordSpace: number
  scale: number
  rise: number
  leading: number
}

export const startReplay = (view: Matrix, fontNamed: Replay['fontNamed'], extents: FontExtents): Replay => ({
  view,
  fontNamed,
  extents,
  glyphs: [],
  saved: [],
  state: freshState(identity),
  text: identity,
  line: identity,
})

export const freshState = (ctm: Matrix): GraphicsState => ({
  ctm,
  font: null,
  size: 0,
  charSpace: 0,
  wordSpace: 0,
  scale: 1,
  rise: 0,
  leading: 0,
})
