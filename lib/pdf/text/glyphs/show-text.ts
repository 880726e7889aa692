/** Shows a text: adds its glyphs to those of the page, and moves on by their advances. */
import { apply, multiply, shift } from '../../matrix.ts'
import type { Extent, FontExtents } from '../font-extents.ts'
import type { ListedGlyph, ReaderFont, ShownText } from './operator-list.ts'
import type { Replay } from './replay.ts'

export function showText(replay: Replay, shown: ShownText): void {
  const { font, size, scale } = replay.state
  if (!font || !Array.isArray(shown)) return
  const extent = extentOf(font, replay.extents)
  for (const item of shown as ShownText) {
    if (item === null) continue
    if (typeof item === 'number') {
      const back = (-item / 1000) * size
      replay.text = multiply(replay.text, font.vertical ? shift(0, back) : shift(back * scale, 0))
    } else {
      showGlyph(replay, item, font, extent)
    }
  }
}

function showGlyph(replay: Replay, glyph: ListedGlyph, font: ReaderFont, [ascent, descent]: Extent): void {
  const { view, state, text } = replay
  const { ctm, size, scale, rise, charSpace, wordSpace } = state
  const space = charSpace + (glyph.isSpace ? wordSpace : 0)
  const { left, right, base, step } = layOut(glyph, font.vertical, size * (font.matrix[0] ?? 0.001), space, scale)
  const onPage = multiply(view, multiply(ctm, text))
  const top = rise + base + ascent * size
  const bottom = rise + base + descent * size
  replay.glyphs.push({
    text: glyph.unicode ?? '',
    corners: [
      apply(onPage, left, top),
      apply(onPage, right, top),
      apply(onPage, right, bottom),
      apply(onPage, left, bottom),
    ],
    origin: apply(onPage, 0, rise),
    end: font.vertical ? apply(onPage, 0, rise + step[1]) : apply(onPage, right, rise),
    em: Math.abs(size) * Math.hypot(onPage[2], onPage[3]),
  })
  replay.text = multiply(text, shift(step[0], step[1]))
}

/** The box of a glyph and the way to the next one, in text space. */
interface Layout {
  left: number
  right: number
  /** How far the baseline of the glyph lies above that of the text; not 0 in vertical writing alone. */
  base: number
  step: readonly [x: number, y: number]
}

/** Lays out one glyph. ISO 32000-1, 9.4.4 and, for vertical writing, 9.7.4.3. */
function layOut(glyph: ListedGlyph, isVertical: boolean, unit: number, space: number, scale: number): Layout {
  const width = glyph.width * unit
  if (!isVertical) return { left: 0, right: width * scale, base: 0, step: [(width + space) * scale, 0] }
  const [advance, x, y] = glyph.vmetric ?? [-1000, glyph.width / 2, 880]
  const left = -x * unit
  return { left, right: left + width, base: -y * unit, step: [0, advance * unit + space] }
}

function extentOf(font: ReaderFont, extents: FontExtents): Extent {
  if (!font.type3) return extents(font.name)
  const [, low = 0, , high = 0] = font.bbox ?? []
  const unit = font.matrix[3] ?? 0.001
  return high > low ? [high * unit, low * unit] : [0.75, -0.25]
}
