/**
 * Places fields by the text of a document as it was received, before its pages become pictures. Coordinates are those of the pages
 * as they are drawn.
 */
import type { Annotations } from '../../contract/task/document.ts'
import type { Box, PageSize } from '../geometry.ts'
import { openStructure } from '../guard/structure.ts'
import { type ReaderDocument, withContent } from '../text/content-reader.ts'
import { type FontExtents, fontExtents, unknownExtents } from '../text/font-extents.ts'
import type { Glyph } from '../text/glyphs/glyph.ts'
import { locateIn } from '../text/text.ts'
import { textBoxes } from './place-in-pdf.ts'
import { needlesOf, ownTokens, type Placed, placeFields } from './placement.ts'

/**
 * Returns the fields, or what is wrong with an annotation or the document. Sets no limits.
 * @param pages as they are drawn
 */
export async function placeInReceived(
  received: Uint8Array,
  annotations: Annotations,
  pages: readonly PageSize[],
  tokens: readonly string[] = ownTokens,
): Promise<Placed> {
  const needles = needlesOf(annotations, tokens)
  if (!needles) return placeFields(annotations, [], pages, [])
  const { kind, texts } = needles
  const extents = await extentsOf(received)
  const boxes = new Map<number, Box[]>()
  const onFound = (page: number, glyphs: readonly Glyph[]) => void boxes.set(page, textBoxes(glyphs))
  const search = async (doc: ReaderDocument) => {
    if (!(await isReadAsDrawn(doc, pages))) return null
    return locateIn(doc, texts, { kind, extents, withAnnotations: true, firstOnly: kind === 'phrase', onFound })
  }
  const hits = await withContent(received, search).catch(() => null)
  if (!hits) return { ok: false, problem: UNREADABLE }
  return placeFields(annotations, [], pages, hits, tokens, (page) => boxes.get(page) ?? [])
}

const UNREADABLE =
  'document.annotations: the pages of the PDF had to be converted to pictures, and its text cannot be read reliably; place the fields with annotations of the type Json, or print it to PDF again'

/** In points. */
const NEAR = 0.01

/** Whether the reader of the text finds the pages that were drawn, and none of their text is hidden. */
async function isReadAsDrawn(doc: ReaderDocument, pages: readonly PageSize[]): Promise<boolean> {
  if (doc.numPages !== pages.length) return false
  const layers = await doc.getOptionalContentConfig({ intent: 'display' })
  for (const [, layer] of layers) if (!layer.visible) return false
  for (const [index, { width, height }] of pages.entries()) {
    const page = await doc.getPage(index + 1)
    const viewport = page.getViewport({ scale: 1 / (page.userUnit || 1) })
    if (Math.abs(viewport.width - width) > NEAR || Math.abs(viewport.height - height) > NEAR) return false
  }
  return true
}

async function extentsOf(received: Uint8Array): Promise<FontExtents> {
  const opened = await openStructure(received)
  try {
    if (opened.ok) return fontExtents(opened.doc)
  } catch {
    // A damaged file: its text may be readable all the same.
  }
  return unknownExtents
}
