/** Chooses and places the glyphs of a text, by the rules of its script that its font holds. */
import type * as HarfBuzz from 'harfbuzzjs'
import type { Face } from './face.ts'
import { glyphTexts } from './glyph-texts.ts'
import { type Piece, piecesOf } from './pieces.ts'

export interface PlacedGlyph {
  id: number
  /** The characters that a reader finds here; a zero-width space where the neighbour represents them. */
  text: string
  /** The width of the glyph itself, and how far the pen moves; all lengths are in thousandths of the size. */
  width: number
  advance: number
  /** The distance from the pen to the glyph. */
  dx: number
  dy: number
}

export interface ShapedPiece {
  face: Face
  /** The glyphs from left to right. */
  glyphs: PlacedGlyph[]
}

/** Shapes a line, with the fonts in the order of preference. */
export type Shaper = (line: string, faces: readonly Face[]) => ShapedPiece[]

let loaded: Promise<Shaper> | undefined

/** The shaper starts asynchronously, so it is loaded where it is first needed, once for each thread. */
export function loadShaper(): Promise<Shaper> {
  loaded ??= load()
  return loaded
}

async function load(): Promise<Shaper> {
  const harfBuzz = await import('harfbuzzjs')
  const { Buffer, Feature } = harfBuzz
  // Letters that a reader searches for one by one are drawn one by one, except where the script demands a ligature.
  const features = [new Feature('liga', 0), new Feature('clig', 0)]
  const tools: Tools = { harfBuzz, buffer: new Buffer(), features }
  return (line, faces) => {
    const pieces = piecesOf(line, faces)
    return pieces.map((piece, i) => {
      const shaped = shapePiece(tools, piece)
      if (pieces[i - 1]?.isRightToLeft && !piece.isRightToLeft) markDirection(shaped)
      return shaped
    })
  }
}

interface Tools {
  harfBuzz: typeof HarfBuzz
  /** One for all texts: a new one takes many times as long as shaping a word, and its memory is given back late. */
  buffer: HarfBuzz.Buffer
  features: HarfBuzz.Feature[]
}

/** Without the mark, readers count a space or bracket behind a right-to-left word as a part of it. */
function markDirection({ glyphs: [first] }: ShapedPiece): void {
  if (first) first.text = `${LEFT_TO_RIGHT}${first.text}`
}

const LEFT_TO_RIGHT = '\u200e'

const fonts = new WeakMap<Face, HarfBuzz.Font>()

function fontOf({ Blob, Face: HarfBuzzFace, Font }: typeof HarfBuzz, face: Face): HarfBuzz.Font {
  const font = fonts.get(face) ?? new Font(new HarfBuzzFace(new Blob(face.program)))
  fonts.set(face, font)
  return font
}

function shapePiece({ harfBuzz, buffer, features }: Tools, { text, face, isRightToLeft }: Piece): ShapedPiece {
  const font = fontOf(harfBuzz, face)
  buffer.reset()
  buffer.addText(text)
  buffer.setDirection(isRightToLeft ? harfBuzz.Direction.RTL : harfBuzz.Direction.LTR)
  buffer.guessSegmentProperties()
  buffer.setFlags(harfBuzz.BufferFlag.REMOVE_DEFAULT_IGNORABLES)
  harfBuzz.shape(font, buffer, features)
  const [infos, positions] = [buffer.getGlyphInfos(), buffer.getGlyphPositions()]
  const texts = glyphTexts(text, infos, isRightToLeft, (codePoint) => font.nominalGlyph(codePoint))
  const scale = 1000 / face.parsed.unitsPerEm
  const glyphs = infos.map(({ codepoint: id }, i) => {
    const { xAdvance, xOffset, yOffset } = positions[i]!
    return {
      id,
      text: texts[i]!,
      width: scale * font.glyphHAdvance(id),
      advance: scale * xAdvance,
      dx: scale * xOffset,
      dy: scale * yOffset,
    }
  })
  return { face, glyphs }
}
