/**
 * Shows where the fields of annotations will be before anything is sent: as places, or drawn into the PDF. Runs in the
 * caller's thread, without the time and memory limits of a service's workers: for documents of the caller's own. The
 * readers are loaded when first used.
 */
import type { Annotations, Origin } from '../../contract/task/annotations.ts'
import type { ProfileInput } from '../../profile/host-profile.ts'
import { tokensOf } from '../../profile/names.ts'
import { profileOf } from '../../profile/parse-profile.ts'
import { tooLarge } from '../guard/attachment.ts'
import { defaultLimits, type PdfLimits } from '../guard/limits.ts'
import { type ActiveContentPolicy, defaultActiveContentPolicy } from '../prepare/active-content.ts'
import { fromTopLeft } from './origin.ts'
import type { Field, Placed } from './placement.ts'

/** Options of a preview, in addition to the document and its annotations. */
export interface PreviewOptions {
  /** Fields of the chosen template; needed for annotations of type Template only. */
  templateFields?: readonly Field[]
  /** Other limits than those of the service. */
  limits?: Partial<PdfLimits>
  /** The service's treatment of active content in the sender's documents; optional, removed by default as the service does. */
  activeContent?: Partial<ActiveContentPolicy>
  /** How the host speaks: its tokens, its coordinates and its largest attachment. Optional; our own service by default. */
  profile?: ProfileInput
}

/**
 * Returns the fields as the service will place them, or what is wrong with the document or an annotation. They are placed on
 * the document as the service prepares it: what is in a form or a note is then part of its pages, so that tokens and texts
 * in it are found, and what does not show is gone.
 * @throws ReaderUnavailableError when this program lacks what the reader of PDFs needs
 */
export async function previewFields(
  pdf: Uint8Array,
  annotations: Annotations,
  { templateFields = [], limits = {}, activeContent = {}, profile: written }: PreviewOptions = {},
): Promise<Placed> {
  const profile = profileOf(written)
  const { inspectPdf } = await import('../guard/source.ts')
  const { preparePdf } = await import('../prepare/prepare.ts')
  const { placeInPdf } = await import('./place-in-pdf.ts')
  const allowed = { ...defaultLimits, maxBytes: profile.limits.attachmentBytes, ...limits }
  if (pdf.length > allowed.maxBytes) return refused(tooLarge(allowed.maxBytes).problem)
  const tokens = tokensOf(profile)
  const inspected = await inspectPdf(pdf, allowed)
  if (!inspected.ok) {
    if (inspected.isFinal) return refused(inspected.problem)
    return previewInReceived(pdf, annotations, profile.coordinates.origin, tokens)
  }
  const { unsignableProblem } = await import('../guard/unsignable.ts')
  const unsignable = unsignableProblem(inspected.doc)
  if (unsignable) return refused(unsignable)
  const prepared = await preparePdf(pdf, { ...defaultActiveContentPolicy, ...activeContent })
  if (!prepared.ok) {
    if (prepared.isFinal) return refused(prepared.problem)
    return previewInReceived(pdf, annotations, profile.coordinates.origin, tokens)
  }
  const asked = fromTopLeft(annotations, profile.coordinates.origin, inspected.pages)
  return placeInPdf(prepared.pdf, asked, templateFields, { tokens })
}

/** The service converts the pages of such a document to pictures, of the size that the reader of the pages finds. */
async function previewInReceived(
  pdf: Uint8Array,
  annotations: Annotations,
  origin: Origin,
  tokens: readonly string[],
): Promise<Placed> {
  const { pageSizes } = await import('../text/document-facts.ts')
  const { placeInReceived } = await import('./place-in-received.ts')
  const pages = await pageSizes(pdf)
  if (!pages) return refused('damaged: its pages cannot be read; save or print it to PDF again')
  return placeInReceived(pdf, fromTopLeft(annotations, origin, pages), pages, tokens)
}

const refused = (problem: string): Placed => ({ ok: false, problem: `document.attachment: ${problem}` })

/**
 * Returns the same PDF with each field outlined, and labelled with its number and type.
 * @throws RangeError when a field is on no page of it; Error when the PDF cannot be opened
 */
export async function drawPreview(pdf: Uint8Array, fields: readonly Field[]): Promise<Uint8Array> {
  const { drawFields } = await import('./draw-fields.ts')
  return drawFields(pdf, fields)
}
