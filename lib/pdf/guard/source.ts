/**
 * Is this a PDF that can be signed? Pure functions over bytes, without threads: hostile input can keep them busy, so a
 * service calls them through its worker pool. A bad document is an answer, never an exception, and is never quoted.
 */

import type { PDFDocument } from 'pdf-lib'
import { hasHeader } from '../file/header.ts'
import type { PageSize } from '../geometry.ts'
import { readFile, readingProblem } from '../one-reading/one-reading.ts'
import { pageFrames } from '../page-frame.ts'
import type { PdfLimits } from './limits.ts'
import { nestedDrawingsProblem } from './nested-drawings.ts'
import { parsedBudgetProblem } from './parsed-budget.ts'
import { rawBudgetProblem } from './raw-budget.ts'
import { openStructure } from './structure.ts'
import { surveyDocument } from './survey.ts'

export type Inspected = Readable | Unreadable

export interface Unreadable {
  ok: false
  /** A clause about the document that never quotes it. */
  problem: string
  /** Whether it cannot be signed as pictures of its pages either: it is over a limit, or its pages are not the document. */
  isFinal?: true
}

export interface Readable {
  ok: true
  pages: PageSize[]
  /** Opened by the structure reader, and not changed yet. */
  doc: PDFDocument
}

/**
 * Opens the document with both readers, within the limits. Returns its pages, or what is wrong.
 * @param onPageCount called with the number of pages before they are read, because many may take longer
 * @throws ReaderUnavailableError where the reader of content cannot run
 */
export async function inspectPdf(
  pdf: Uint8Array,
  limits: PdfLimits,
  onPageCount: (count: number) => void = () => {},
): Promise<Inspected> {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
  if (!hasHeader(bytes)) return final('not a PDF (no %PDF- header in its first 1,024 bytes)')
  const rawProblem = rawBudgetProblem(bytes, limits)
  if (rawProblem) return final(rawProblem)
  const read = readFile(bytes)
  if ('problem' in read) return refused(read.problem)
  const opened = await openStructure(pdf)
  if (!opened.ok) return opened
  // A reader that cannot be loaded is no fault of the document, so this fails outside of the attempt to read it.
  const { countPages } = await import('../text/text.ts')
  try {
    const { doc } = opened
    // The count that the catalogue states comes first: walking the page tree of a hostile file may take for ever.
    const count = doc.catalog.Pages().Count().asNumber()
    if (count > limits.maxPages) return final(`has ${count} pages; at most ${limits.maxPages} are accepted`)
    const survey = surveyDocument(doc)
    const overLimit = parsedBudgetProblem(doc, survey, limits) ?? nestedDrawingsProblem(doc, limits)
    if (overLimit) return final(overLimit)
    onPageCount(count)
    const problem = readingProblem(read, doc)
    if (problem) return refused(problem)
    if (survey.hasLaunchAction) return refused('has an action that starts a program; send it without Launch actions')
    if (survey.isDynamicXfa) return final('is a dynamic XFA form, which has no pages of its own; print it to PDF first')
    const pages = pageFrames(doc).map(({ width, height }) => ({ width, height }))
    if (pages.length === 0) return refused('damaged: it has no pages')
    const counted = await countPages(pdf)
    if (counted !== pages.length) return refused('damaged: its readers do not agree on the number of its pages')
    return { ok: true, pages, doc }
  } catch {
    return refused('damaged: its pages cannot be read; save or print it to PDF again')
  }
}

const refused = (problem: string): Unreadable => ({ ok: false, problem })

const final = (problem: string): Unreadable => ({ ok: false, problem, isFinal: true })
