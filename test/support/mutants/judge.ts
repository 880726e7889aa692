/** Tells what became of a document: refused, or sealed as shown. Any other outcome is an error. */
import { keepOnPage } from '../../../lib/pdf/geometry.ts'
import { isDrawn } from '../../../lib/pdf/prepare/preparation.ts'
import type { Completed } from '../../../server/pdf/complete.ts'
import type { Completion } from '../../../server/pdf/completion.ts'
import type { PdfPool } from '../../../server/pdf/workers/pool.ts'
import { aCompletion, aField } from '../pdf/a-completion.ts'
import { inspectedAsShown } from '../pdf/as-shown.ts'
import { distance, type Painters } from '../seen/pictures.ts'

export type Outcome = 'refused' | 'not sealed' | 'sealed as shown' | 'SEALED AS SOMETHING ELSE' | 'SEALED, NOT SHOWN'

export interface Judged {
  outcome: Outcome
  /** The problem, or how far the pictures are apart. */
  detail: string
  /** Whether its pages were converted to pictures. */
  isDrawn?: boolean
  /** How many pages were compared. */
  pages?: number
}

/**
 * Of 255. Viewers that draw the same letters and edges stay below 32; PDFium shows the black of inks as a dark gray, which adds up to
 * 35 at most; one digit more gives 60 and more.
 */
export const LIMIT = 44

/** Pixels to a point where the usual picture differs: thin lines are rounded to its pixels. */
export const FINE = 3

const box = { left: 350, top: 20, right: 530, bottom: 56 }

export async function judge(pdf: Uint8Array, pool: PdfPool, painters: Painters): Promise<Judged> {
  const inspected = await inspectedAsShown(pool, pdf)
  if (!inspected.ok) return { outcome: 'refused', detail: inspected.problem }
  const fields = inspected.pages.map((size, index) => aField({ page: index + 1, box: keepOnPage(box, size) }))
  // The pages that a signer sees are pictures by PDFium.
  const shown = await painters.others.pdfium!(inspected.pdf).catch(() => null)
  const completed = await complete(pool, inspected.pdf, await aCompletion({ fields }))
  if (!completed.ok) return { outcome: 'not sealed', detail: completed.problem }
  if (!shown) return { outcome: 'SEALED, NOT SHOWN', detail: '' }
  const leftOutOf = (index: number) => [fields[index]!.box]
  const [accepted, sealedPdf] = [inspected.pdf, completed.pdf]
  let largest = 0
  for (const [painter, draw] of Object.entries({ 'pdf.js': painters.reader, ...painters.others })) {
    const sealed = await draw(completed.pdf, shown.length).catch(() => [])
    for (const [index, picture] of shown.entries()) {
      const coarse = sealed[index] ? distance(picture, sealed[index], leftOutOf(index)) : 255
      const apart = coarse > LIMIT ? await finely(index) : coarse
      if (apart > LIMIT) {
        const detail = `page ${index + 1} by ${painter}: ${apart.toFixed(0)}`
        return { outcome: 'SEALED AS SOMETHING ELSE', detail }
      }
      largest = Math.max(largest, apart)
    }

    async function finely(index: number): Promise<number> {
      const ours = await painters.others.pdfium!(accepted, index + 1, FINE).catch(() => [])
      const theirs = await draw(sealedPdf, index + 1, FINE).catch(() => [])
      return ours[index] && theirs[index] ? distance(ours[index], theirs[index], leftOutOf(index)) : 255
    }
  }
  const isOfPictures = isDrawn(inspected.preparations)
  return { outcome: 'sealed as shown', detail: largest.toFixed(0), isDrawn: isOfPictures, pages: shown.length }
}

const complete = (pool: PdfPool, pdf: Uint8Array, completion: Completion): Promise<Completed> =>
  pool.complete(pdf, completion)
