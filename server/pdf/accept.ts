/**
 * Accepts a plain document: checks it, prepares it to be shown and sealed, and checks the result as if it had been received. What is
 * not plain is drawn: see `receive.ts`.
 */
import type { PDFDocument } from 'pdf-lib'
import { writeSpecimen } from '../../lib/pdf/fonts/specimen.ts'
import type { PageSize } from '../../lib/pdf/geometry.ts'
import { holdsArchive } from '../../lib/pdf/guard/archive.ts'
import type { PdfLimits } from '../../lib/pdf/guard/limits.ts'
import { inspectPdf, type Readable } from '../../lib/pdf/guard/source.ts'
import { openStructure } from '../../lib/pdf/guard/structure.ts'
import { unsignableProblem } from '../../lib/pdf/guard/unsignable.ts'
import { embedFaces } from '../../lib/pdf/plain/embed-faces.ts'
import { readPlain } from '../../lib/pdf/plain/plain-problem.ts'
import { replaceProfiles } from '../../lib/pdf/plain/screen-colors.ts'
import type { ActiveContentPolicy } from '../../lib/pdf/prepare/active-content.ts'
import { isSigned } from '../../lib/pdf/prepare/form.ts'
import { writing } from '../../lib/pdf/prepare/form-problem.ts'
import { type DrawnBecause, type Preparation, preparations } from '../../lib/pdf/prepare/preparation.ts'
import { type Prepared, prepareOpened } from '../../lib/pdf/prepare/prepare.ts'
import { forgetTheRest } from '../../lib/pdf/prepare/reachable.ts'
import { pageCountInViewer } from './compare/pictures.ts'
import { showsTheSame } from './compare/same-as-received.ts'
import { drawsSameLetters } from './compare/same-letters.ts'
import { withStandardFaces } from './standard-faces.ts'

export interface AcceptedDocument {
  ok: true
  /** The PDF as it is to be shown and sealed. */
  pdf: Uint8Array
  /** Opened from `pdf`, and not changed. */
  doc: PDFDocument
  pages: PageSize[]
  /** Changes made to it; empty when it is as it was received. */
  preparations: readonly Preparation[]
}

export interface RefusedDocument {
  ok: false
  /** Continues a sentence about the document and never quotes it. */
  problem: string
  /** Why it is drawn instead; null where it cannot be signed as pictures of its pages either. */
  drawn: DrawnBecause | null
}

export type Accepted = AcceptedDocument | RefusedDocument

/** @param onPageCount called with how many pages have to be read, because many may take longer */
export async function acceptDocument(
  received: Uint8Array,
  limits: PdfLimits,
  policy: ActiveContentPolicy,
  onPageCount: (count: number) => void = () => {},
): Promise<Accepted> {
  const inspected = await inspectPdf(received, limits, onPageCount)
  if (!inspected.ok) return refused(inspected.problem, inspected.isFinal ? null : 'drawnAsAmbiguous')
  const unsignable = unsignableProblem(inspected.doc)
  if (unsignable) return refused(unsignable, null)
  const prepared = await prepareOpened(received, inspected.doc, policy)
  if (!prepared.ok) {
    const { problem, isFinal, isSigned } = prepared
    return refused(problem, isFinal ? null : isSigned ? 'drawnAsSigned' : 'drawnForForm')
  }
  const accepted = await acceptPrepared(received, prepared, inspected, limits, onPageCount)
  if (accepted.ok || !accepted.mightBePlain) return accepted
  // Fonts and colors that cannot be read cannot be replaced either.
  const normal = await normalized(prepared).catch(() => null)
  const again = normal && (await acceptPrepared(received, normal, inspected, limits, onPageCount))
  return again?.ok ? again : accepted
}

async function acceptPrepared(
  received: Uint8Array,
  prepared: PreparedDocument,
  { doc, pages }: Readable,
  limits: PdfLimits,
  onPageCount: (count: number) => void,
): Promise<AcceptedDocument | (RefusedDocument & { mightBePlain?: boolean })> {
  const { pdf, preparations } = prepared
  if (holdsArchive(Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength))) return refused(ARCHIVE, 'drawnAsAmbiguous')
  if (preparations.length === 0) {
    // Now and not only before sealing: the viewer that draws the pages then must be able to open them.
    const pageCount = await pageCountInViewer(pdf)
    if (pageCount !== pages.length) return refused(UNLIKE_READERS, 'drawnAsAmbiguous')
    return (await contentProblem(doc)) ?? { ok: true, pdf, doc, pages, preparations }
  }
  const again = await inspectPdf(pdf, limits)
  if (!again.ok || !isSameSize(again.pages, pages)) return refused(UNLIKE, 'drawnAsAmbiguous')
  const problem = await contentProblem(again.doc)
  if (problem) return problem
  const isSame = await showsTheSame(received, prepared, (count) => onPageCount(READINGS * count)).catch(() => false)
  return isSame ? { ok: true, pdf, doc: again.doc, pages, preparations } : refused(UNLIKE, 'drawnForForm')
}

/** How often each page is read, by all that compare it. */
const READINGS = 3

type PreparedDocument = Extract<Prepared, { ok: true }>

/**
 * Returns the document with the fonts that it only names, and with colors of a screen in place of profiles; null where it has none of
 * those, or a signature covers it.
 */
async function normalized(prepared: PreparedDocument): Promise<PreparedDocument | null> {
  const opened = await openStructure(prepared.pdf)
  if (!opened.ok || isSigned(opened.doc)) return null
  const hasGotFonts = await withStandardFaces((faceOf) => embedFaces(opened.doc, faceOf))
  const hasGotColors = replaceProfiles(opened.doc)
  if (!hasGotFonts && !hasGotColors) return null
  const done = new Set<Preparation>(prepared.preparations)
  if (hasGotFonts) done.add('fontsEmbedded')
  if (hasGotColors) done.add('colorsConverted')
  forgetTheRest(opened.doc)
  return {
    ...prepared,
    pdf: await opened.doc.save(writing),
    preparations: preparations.filter((item) => done.has(item)),
  }
}

async function contentProblem(doc: PDFDocument): Promise<(RefusedDocument & { mightBePlain?: boolean }) | null> {
  const reading = readPlain(doc)
  if (!reading.ok) {
    const { problem, isFontMissing, isProfileUnknown } = reading
    return {
      ...refused(`${problem}; print it to PDF again`, isFontMissing ? 'drawnForLetters' : 'drawnForContent'),
      mightBePlain: isFontMissing || isProfileUnknown,
    }
  }
  const { fonts } = reading
  if (fonts.length === 0) return null
  const isSame = await drawsSameLetters(await writeSpecimen(fonts, doc)).catch(() => false)
  return isSame ? null : { ...refused(UNLIKE_LETTERS, 'drawnForLetters'), mightBePlain: true }
}

const refused = (problem: string, drawn: DrawnBecause | null): RefusedDocument => ({ ok: false, problem, drawn })

const UNLIKE_READERS = 'damaged: its readers do not agree on its pages; save or print it to PDF again'

const UNLIKE_LETTERS =
  'has a font that is not in it, or that viewers draw differently; save it with its fonts embedded, or print it to PDF again'

const ARCHIVE = 'a ZIP archive, too: programs could unpack it; send it without archives in it, or print it to PDF again'

const UNLIKE = 'looks different in different viewers, or without its form and notes; print it to PDF again'

const isSameSize = (a: readonly PageSize[], b: readonly PageSize[]): boolean =>
  a.length === b.length && a.every(({ width, height }, i) => width === b[i]!.width && height === b[i]!.height)
