/** What the tests of preparing share: a document with annotations, and what became of it. */
import { type PDFDocument, PDFName, type PDFPage } from 'pdf-lib'
import { type ActiveContentPolicy, defaultActiveContentPolicy } from '../../../lib/pdf/prepare/active-content.ts'
import { preparePdf } from '../../../lib/pdf/prepare/prepare.ts'
import { aDocument } from './a-pdf.ts'

export const key = (name: string) => PDFName.of(name)
export const save = (doc: PDFDocument) => doc.save({ useObjectStreams: false, updateFieldAppearances: false })

export async function prepare(pdf: Uint8Array, policy: Partial<ActiveContentPolicy> = {}) {
  const prepared = await preparePdf(pdf, { ...defaultActiveContentPolicy, ...policy })
  if (!prepared.ok) throw new Error(prepared.problem)
  const latin = Buffer.from(prepared.pdf).toString('latin1')
  return { ...prepared, latin, isAsItCame: Buffer.from(pdf).equals(prepared.pdf) }
}

export async function problemOf(pdf: Uint8Array, policy: Partial<ActiveContentPolicy> = {}): Promise<string> {
  const prepared = await preparePdf(pdf, { ...defaultActiveContentPolicy, ...policy })
  return prepared.ok ? 'prepared' : prepared.problem
}

export interface SampleAnnotation {
  subtype: string
  /** Operators of its appearance; none without. */
  draws?: string
  entries?: Record<string, unknown>
}

/** A page with these annotations on it, one above the other. */
export async function annotated(...samples: SampleAnnotation[]): Promise<PDFDocument> {
  const doc = await aDocument({ content: 'BT /F1 12 Tf 72 700 Td (Order) Tj ET' })
  annotate(doc, doc.getPage(0), samples)
  return doc
}

export function annotate({ context }: PDFDocument, page: PDFPage, samples: readonly SampleAnnotation[]): void {
  const refs = samples.map(({ subtype, draws, entries = {} }, i) => {
    const Rect = [72, 600 - 40 * i, 172, 620 - 40 * i]
    const annotation = context.obj({ Type: 'Annot', Subtype: subtype, F: 4, Rect, ...(entries as object) })
    if (draws !== undefined) {
      const form = context.stream(draws, { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 100, 20], Resources: {} })
      annotation.set(key('AP'), context.obj({ N: context.register(form) }))
    }
    return context.register(annotation)
  })
  page.node.set(key('Annots'), context.obj(refs))
}

export const RED = '1 0 0 rg 0 0 100 20 re f'
