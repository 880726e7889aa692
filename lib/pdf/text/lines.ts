/** Puts the glyphs of a page into order where their producer did not. Pure. */
import { fold } from './fold.ts'
import type { Glyph } from './glyphs/glyph.ts'

/** Side of the cells that glyphs are looked up by, in points. */
const CELL = 4

/** Returns the glyphs without the second of two equal ones at almost one place: that is how shadow and bold are imitated. */
export function withoutDoubles(glyphs: readonly Glyph[]): Glyph[] {
  const cells = new Map<number, Glyph[]>()
  const cell = (value: number) => Math.floor(value / CELL)
  return glyphs.filter((glyph) => {
    if (fold(glyph.text) === '') return true
    const [x, y] = glyph.origin
    const near = Math.min(Math.max(0.3, glyph.em * 0.12), CELL)
    for (let cx = cell(x - near); cx <= cell(x + near); cx++) {
      for (let cy = cell(y - near); cy <= cell(y + near); cy++) {
        const twin = cells
          .get(keyOf(cx, cy))
          ?.some(
            (other) =>
              other.text === glyph.text && Math.abs(other.origin[0] - x) < near && Math.abs(other.origin[1] - y) < near,
          )
        if (twin) return false
      }
    }
    const home = keyOf(cell(x), cell(y))
    const members = cells.get(home)
    if (members) members.push(glyph)
    else cells.set(home, [glyph])
    return true
  })
}

/** Cells so far apart that they share a key do no harm, because what is in them is compared by its place. */
const keyOf = (cx: number, cy: number): number => cx * 2 ** 20 + cy

/** Groups the glyphs by direction and baseline, each group in order along its line, because text may be written out of order. */
export function linesOf(glyphs: readonly Glyph[]): Glyph[][] {
  const placed = glyphs
    .map((glyph) => {
      const { origin, end } = glyph
      // Most text is level.
      if (end[1] === origin[1] && end[0] > origin[0]) {
        return { glyph, degrees: 0, along: origin[0], across: origin[1] }
      }
      const angle = Math.atan2(end[1] - origin[1], end[0] - origin[0])
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
      return {
        glyph,
        degrees: Math.round((angle * 180) / Math.PI),
        along: origin[0] * cos + origin[1] * sin,
        across: origin[1] * cos - origin[0] * sin,
      }
    })
    .sort((a, b) => a.degrees - b.degrees || a.across - b.across)
  const lines: (typeof placed)[] = []
  let start: (typeof placed)[number] | undefined
  for (const next of placed) {
    const sameLine =
      start?.degrees === next.degrees &&
      Math.abs(next.across - start.across) < 0.35 * Math.min(next.glyph.em, start.glyph.em)
    if (sameLine) lines.at(-1)!.push(next)
    else {
      lines.push([next])
      start = next
    }
  }
  return lines.map((line) => line.sort((a, b) => a.along - b.along).map(({ glyph }) => glyph))
}
