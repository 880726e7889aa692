/** Places the fields of a document while it is open to be accepted, so that ingestion need not open it again. */
import type { PDFDocument } from 'pdf-lib'
import type { PageSize } from '../../lib/pdf/geometry.ts'
import type { EarlyPlacement, Wanted } from '../../lib/pdf/placement/early-placement.ts'
import { fromTopLeft } from '../../lib/pdf/placement/origin.ts'
import { placeInOpened } from '../../lib/pdf/placement/place-in-pdf.ts'

/** The sender waits in the meantime, so documents with more pages are left to ingestion. */
const MOST_PAGES = 20

/**
 * Returns null where ingestion has to place the fields: those of a template are as the template is then.
 * @param accepted `doc` is opened from `pdf`, and not changed
 * choice: Placed when accepted
 */
export async function placeEarly(
  { pdf, doc, pages }: { pdf: Uint8Array; doc: PDFDocument; pages: readonly PageSize[] },
  { annotations, origin }: Wanted,
  tokens: readonly string[],
): Promise<EarlyPlacement | null> {
  if (annotations.type === 'Template' || pages.length > MOST_PAGES) return null
  const outcome = await placeInOpened(pdf, doc, fromTopLeft(annotations, origin, pages), [], { tokens })
  return { tokens, outcome }
}
