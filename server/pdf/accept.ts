/** Accepts a document: checks it, prepares it to be shown and sealed, and checks the result as if it had been received. */
import type { PDFDocument } from 'pdf-lib'
import type { PageSize } from '../../lib/pdf/geometry.ts'
import { holdsArchive } from '../../lib/pdf/guard/archive.ts'
import type { PdfLimits } from '../../lib/pdf/guard/limits.ts'
import { inspectPdf, type Readable } from '../../lib/pdf/guard/source.ts'
import type { ActiveContentPolicy } from '../../lib/pdf/prepare/active-content.ts'
import type { Preparation } from '../../lib/pdf/prepare/preparation.ts'
import { prepareOpened } from '../../lib/pdf/prepare/prepare.ts'
import { pageCountInViewer } from './compare/pictures.ts'
import { showsTheSame } from './compare/same-as-received.ts'
import { drawsSameLetters } from './compare/same-letters.ts'

export type Accepted =
  | {
      ok: true
      /** As it is to be shown and sealed. */
      pdf: Uint8Array
      /** Opened from `pdf`, and not changed. */
      doc: PDFDocument
      pages: PageSize[]
      /** What was done to it; empty when it is as it was received. */
      preparations: readonly Preparation[]
    }
  /** `problem` continues a sentence about the document and never quotes it. */
  | { ok: false; problem: string }

/** @param onPageCount told how many pages have to be read, because many may take longer */
export async function acceptDocument(
  received: Uint8Array,
  limits: PdfLimits,
  policy: ActiveContentPolicy,
  onPageCount: (count: number) => void = () => {},
): Promise<Accepted> {
  const inspected = await inspectPdf(received, limits)
  if (!inspected.ok) return inspected
  const prepared = await prepareOpened(received, inspected.doc, policy)
  if (!prepared.ok) return prepared
  const { pdf, preparations } = prepared
  const { doc, pages } = inspected
  if (holdsArchive(Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength))) return refused(ARCHIVE)
  if (preparations.length === 0) {
    // Now and not only before sealing: the viewer that draws the pages then must be able to open them.
    const pageCount = await pageCountInViewer(pdf)
    if (pageCount !== pages.length) return refused(UNLIKE_READERS)
    return (await hasSameLetters(inspected)) ? { ok: true, pdf, doc, pages, preparations } : refused(UNLIKE_LETTERS)
  }
  const again = await inspectPdf(pdf, limits)
  if (!again.ok || !isSameSize(again.pages, pages)) return refused(UNLIKE)
  if (!(await hasSameLetters(again))) return refused(UNLIKE_LETTERS)
  const isSame = await showsTheSame(received, prepared, (count) => onPageCount(READINGS * count)).catch(() => false)
  return isSame ? { ok: true, pdf, doc: again.doc, pages, preparations } : refused(UNLIKE)
}

/** How often each page is read, by all that compare it. */
const READINGS = 3

async function hasSameLetters({ specimen }: Readable): Promise<boolean> {
  const letters = await specimen()
  return letters === null || drawsSameLetters(letters).catch(() => false)
}

const refused = (problem: string): Accepted => ({ ok: false, problem })

const UNLIKE_READERS = 'damaged: its readers do not agree on its pages; save or print it to PDF again'

const UNLIKE_LETTERS =
  'has a font that is not in it, or that viewers draw differently; save it with its fonts embedded, or print it to PDF again'

const ARCHIVE = 'a ZIP archive, too: programs could unpack it; send it without archives in it, or print it to PDF again'

const UNLIKE = 'looks different in different viewers, or without its form and notes; print it to PDF again'

const isSameSize = (a: readonly PageSize[], b: readonly PageSize[]): boolean =>
  a.length === b.length && a.every(({ width, height }, i) => width === b[i]!.width && height === b[i]!.height)
