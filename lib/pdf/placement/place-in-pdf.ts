/** Reads what placement needs from a document: the fields of its annotations, and no more. */
import type { PDFDocument } from 'pdf-lib'
import type { Annotations } from '../../contract/task/document.ts'
import { type Box, boxAround } from '../geometry.ts'
import { openStructure } from '../guard/structure.ts'
import { pageFrames } from '../page-frame.ts'
import { fold } from '../text/fold.ts'
import { fontExtents } from '../text/font-extents.ts'
import type { Glyph } from '../text/glyphs/glyph.ts'
import { locate, readPages } from '../text/text.ts'
import { type Field, needlesOf, ownTokens, type Placed, placeFields } from './placement.ts'

export interface PlaceOptions {
  /** The tokens as the host writes them, one for each of `fieldTypes`. Optional; those of our own service by default. */
  tokens?: readonly string[]
  /** Called with the number of pages to read, before they are. */
  onPageCount?: (count: number) => void
}

/**
 * Returns the fields, or what is wrong with an annotation or the document. For a document that was inspected: sets no limits.
 * Coordinates are those of the interface, from the top left.
 */
export async function placeInPdf(
  pdf: Uint8Array,
  annotations: Annotations,
  templateFields: readonly Field[],
  options: PlaceOptions = {},
): Promise<Placed> {
  const opened = await openStructure(pdf)
  if (!opened.ok) return { ok: false, problem: `document.attachment: ${opened.problem}` }
  return placeInOpened(pdf, opened.doc, annotations, templateFields, options)
}

/** Returns the same. @param doc opened from `pdf`, and not changed */
export async function placeInOpened(
  pdf: Uint8Array,
  doc: PDFDocument,
  annotations: Annotations,
  templateFields: readonly Field[],
  { tokens = ownTokens, onPageCount = () => {} }: PlaceOptions = {},
): Promise<Placed> {
  const pages = pageFrames(doc)
  const needles = needlesOf(annotations, tokens)
  try {
    if (needles) {
      const { kind, texts: wanted } = needles
      const extents = fontExtents(doc)
      const texts = new Map<number, Box[]>()
      const onFound = (page: number, glyphs: readonly Glyph[]) => void texts.set(page, textBoxes(glyphs))
      const hits = await locate(pdf, wanted, { kind, extents, firstOnly: kind === 'phrase', onPageCount, onFound })
      return placeFields(annotations, templateFields, pages, hits, tokens, (page) => texts.get(page) ?? [])
    }
    const placed = placeFields(annotations, templateFields, pages, [])
    // A page that cannot be read could be signed, but not sealed: better to know before someone signs.
    if (placed.ok) {
      const numbers = [...new Set(placed.fields.map(({ page }) => page))]
      onPageCount(numbers.length)
      await readPages(pdf, numbers)
    }
    return placed
  } catch {
    return { ok: false, problem: 'document.attachment: its pages cannot be read; save or print it to PDF again' }
  }
}

/** Characters of lines to write on, such as the line for a signature. */
const FILLERS = /^[_.…·-]*$/

export const textBoxes = (glyphs: readonly Glyph[]): Box[] =>
  glyphs.filter(({ text }) => !FILLERS.test(fold(text))).map(({ corners }) => boxAround(corners))
