/** The glyphs of a page with their places, as the reader of the pages lists them. Meant for a worker thread. */

import type { PageSize } from '../geometry.ts'
import type { Matrix } from '../matrix.ts'
import { contentOperators, type ReaderPage } from './content-reader.ts'
import type { FontExtents } from './font-extents.ts'
import type { Glyph } from './glyphs/glyph.ts'
import type { OperatorList, ReaderFont } from './glyphs/operator-list.ts'
import { replayGlyphs } from './glyphs/replay-glyphs.ts'

export function glyphsOf(
  page: ReaderPage,
  list: OperatorList,
  extents: FontExtents,
): { glyphs: Glyph[]; size: PageSize } {
  // The reader multiplies by /UserUnit; the boxes of the interface, like every other reader, do not.
  const viewport = page.getViewport({ scale: 1 / (page.userUnit || 1) })
  const fonts = new Map<string, ReaderFont | null>()
  const fontNamed = (name: string): ReaderFont | null => {
    const known = fonts.get(name)
    if (known !== undefined) return known
    const font = page.commonObjs.has(name) ? readerFont(page.commonObjs.get(name)) : null
    fonts.set(name, font)
    return font
  }
  const view = viewport.transform as unknown as Matrix
  const glyphs = replayGlyphs(list, contentOperators, view, fontNamed, extents)
  return { glyphs, size: { width: viewport.width, height: viewport.height } }
}

interface ListedFont {
  name?: string
  vertical?: boolean
  isType3Font?: boolean
  fontMatrix?: readonly number[]
  bbox?: readonly number[]
}

function readerFont(font: ListedFont | null): ReaderFont | null {
  if (!font) return null
  return {
    name: font.name ?? '',
    vertical: font.vertical ?? false,
    type3: font.isType3Font ?? false,
    matrix: font.fontMatrix ?? [0.001, 0, 0, 0.001, 0, 0],
    bbox: font.bbox,
  }
}
