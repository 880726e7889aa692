/** From a PDF and annotations to fields: reads what placement needs from the document, and no more. */
import type { Annotations } from '../contract/document.ts'
import { fontExtents } from './font-extents.ts'
import { pageFrames } from './page-frame.ts'
import { type Field, needlesOf, type Placed, placeFields } from './placement.ts'
import { openStructure } from './structure.ts'
import { locate } from './text.ts'

/**
 * For a document that was inspected before: this function sets no limits of its own.
 * @param onPageCount told how many pages have to be read, before they are.
 */
export async function placeInPdf(
  pdf: Uint8Array,
  annotations: Annotations,
  templateFields: readonly Field[],
  onPageCount: (count: number) => void = () => {},
): Promise<Placed> {
  const opened = await openStructure(pdf)
  if (!opened.ok) return { ok: false, problem: `document.attachment: ${opened.problem}` }
  const pages = pageFrames(opened.doc)
  const needles = needlesOf(annotations)
  if (!needles) return placeFields(annotations, templateFields, pages, [])
  try {
    const { kind, texts } = needles
    const extents = fontExtents(opened.doc)
    const hits = await locate(pdf, texts, { kind, extents, firstOnly: kind === 'phrase', onPageCount })
    return placeFields(annotations, templateFields, pages, hits)
  } catch {
    return { ok: false, problem: 'document.attachment: its text cannot be read; save or print it to PDF again' }
  }
}
