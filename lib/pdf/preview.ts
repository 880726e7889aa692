/**
 * Shows where the fields of annotations will stand before anything is sent: as places, or drawn into the PDF. Runs in the
 * caller's thread, without the time and memory limits of a service's workers: for documents of the caller's own. The
 * readers are loaded when first used.
 */
import type { Annotations } from '../contract/document.ts'
import { defaultLimits, type PdfLimits } from './limits.ts'
import type { Field, Placed } from './placement.ts'

export interface PreviewOptions {
  /** Fields of the chosen template; needed for annotations of type Template only. */
  templateFields?: readonly Field[]
  limits?: Partial<PdfLimits>
}

/** The fields as the service will place them, or what is wrong with the document or an annotation. */
export async function previewFields(
  pdf: Uint8Array,
  annotations: Annotations,
  { templateFields = [], limits = {} }: PreviewOptions = {},
): Promise<Placed> {
  const { inspectPdf } = await import('./source.ts')
  const { placeInPdf } = await import('./place-in-pdf.ts')
  const inspected = await inspectPdf(pdf, { ...defaultLimits, ...limits })
  if (!inspected.ok) return { ok: false, problem: `document.attachment: ${inspected.problem}` }
  return placeInPdf(pdf, annotations, templateFields)
}

/** The same PDF with each field outlined and labelled with its type. Throws when a field is on no page of it. */
export async function drawPreview(pdf: Uint8Array, fields: readonly Field[]): Promise<Uint8Array> {
  const { drawFields } = await import('./draw-fields.ts')
  return drawFields(pdf, fields)
}
