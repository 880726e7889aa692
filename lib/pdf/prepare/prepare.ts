/**
 * Turns a document into the one that its signer is shown and that is sealed: forms and notes become part of the pages as they
 * show, and active content is treated as the policy says. A document that needs nothing stays byte for byte as it came.
 */
import { type PDFDocument, PDFName } from 'pdf-lib'
import { documentBounds } from '../file/bounds.ts'
import type { Box } from '../geometry.ts'
import { openStructure } from '../guard/structure.ts'
import { items } from '../guard/survey.ts'
import type { ActiveContentPolicy } from './active-content.ts'
import { type Annotation, annotationsOf } from './annotation.ts'
import { flattenPage } from './flatten.ts'
import { formOf, isBareBox, isDrawnAnew, isSigned } from './form.ts'
import { formProblem, writing } from './form-problem.ts'
import { placeOnPage } from './place-on-page.ts'
import { type Preparation, preparations } from './preparation.ts'
import { forgetTheRest } from './reachable.ts'
import { treatActiveContent } from './treat-active-content.ts'

export type Prepared =
  | {
      ok: true
      pdf: Uint8Array
      preparations: Preparation[]
      /** Places on the displayed pages that were omitted or redrawn, so that they may look different; by index of the page. */
      redrawn: readonly (readonly Box[])[]
      /** Numbers of the pages on which something was drawn or omitted. */
      changedPages: ReadonlySet<number>
    }
  | {
      ok: false
      problem: string
      /** Whether the settings refuse it, so that it is not signed as pictures of its pages either. */
      isFinal?: true
      /** Whether it could be prepared, were it not signed already. */
      isSigned?: true
    }

/**
 * Returns the prepared document, or what is wrong with this one, in words that never quote it.
 * @param pdf that was inspected: within the limits, and read alike by all readers
 */
export async function preparePdf(pdf: Uint8Array, policy: ActiveContentPolicy): Promise<Prepared> {
  const opened = await openStructure(pdf)
  return opened.ok ? prepareOpened(pdf, opened.doc, policy) : opened
}

/** Returns the same. @param doc opened from `pdf`, and changed when something has to be prepared */
export async function prepareOpened(pdf: Uint8Array, doc: PDFDocument, policy: ActiveContentPolicy): Promise<Prepared> {
  const problem = await formProblem(doc)
  if (problem) return { ok: false, problem }
  const treated = treatActiveContent(doc, policy)
  if (!treated.ok) return treated

  const done = new Set<Preparation>(treated.preparations)
  const signed = isSigned(doc)
  const drawnAnew = isDrawnAnew(formOf(doc))
  const changedPages = new Set<number>()
  const redrawn = doc.getPages().map((page, index) => {
    const widgets = annotationsOf(page).filter(drawnAnew ? isWidget : isBareBox)
    const flattened = flattenPage(page, { isSigned: signed, embeddedFiles: policy.embeddedFiles })
    for (const preparation of flattened.preparations) done.add(preparation)
    if (flattened.preparations.length > 0) changedPages.add(index + 1)
    return [...widgets, ...flattened.removedMarks].map(({ rect }) => placeOnPage(page, rect))
  })
  if (dropForm(doc, signed)) done.add('formFlattened')
  if (wasEncrypted(doc)) done.add('decrypted')
  const mustBeWritten = done.size > 0
  if (signed && mustBeWritten) return { ok: false, problem: SIGNED, isSigned: true }
  const { start, end } = documentBounds(Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength))
  if (start > 0) done.add('leadingBytesRemoved')
  if (end < pdf.length) done.add('trailingBytesRemoved')
  const mustBeCut = start > 0 || end < pdf.length
  if (signed && mustBeCut) return { ok: false, problem: SIGNED_WITHIN, isSigned: true }
  const written = mustBeWritten ? await write(doc) : mustBeCut ? pdf.slice(start, end) : pdf
  return { ok: true, pdf: written, preparations: preparations.filter((item) => done.has(item)), redrawn, changedPages }
}

const SIGNED =
  'is already signed, and has form fields, notes or active content that cannot be taken out without breaking ' +
  'that signature; send it as it was before it was signed, or print it to PDF'

const SIGNED_WITHIN =
  'is already signed, and its file has something before its beginning or behind its end; send the file as it ' +
  'was when it was signed'

const isWidget = ({ subtype }: Annotation): boolean => subtype === 'Widget'

/** Returns whether the form has to go. Where someone has signed it stays, and the caller refuses the document. */
function dropForm(doc: PDFDocument, isSignedBefore: boolean): boolean {
  const form = formOf(doc)
  if (form === null) return false
  const mustBeDropped = form.has(PDFName.of('XFA')) || isDrawnAnew(form)
  if (isSignedBefore) return mustBeDropped
  const hasFields = items(form.lookup(PDFName.of('Fields'))).length > 0
  if (!hasFields && !mustBeDropped) return false
  doc.catalog.delete(PDFName.of('AcroForm'))
  return true
}

/** The structure reader decrypts what it opens, and forgets that it was encrypted. */
const wasEncrypted = ({ isEncrypted, context }: PDFDocument): boolean => isEncrypted || context.isDecrypted

/** Rights that someone's signature gave to viewers end with the bytes that it covered. */
function write(doc: PDFDocument): Promise<Uint8Array> {
  doc.catalog.delete(PDFName.of('Perms'))
  forgetTheRest(doc)
  return doc.save(writing)
}
