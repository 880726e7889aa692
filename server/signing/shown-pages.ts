/** Pages of documents as signers see them. A page that several ask for at once in the same width is drawn once. choice: Pictures of pages */
import { BUSY_RETRY_MS } from '../choices.ts'
import { Busy, Refusal } from '../domain/refusal.ts'
import type { PageRequest, ShownPage } from '../pdf/draw/shown-page.ts'
import type { Pages } from '../pdf/workers/jobs.ts'
import type { PdfPool } from '../pdf/workers/pool.ts'

export interface ShownPages {
  sizes(pdf: Uint8Array): Promise<Pages>
  /**
   * Refuses a page that the document does not have, and ink that is another by now.
   * @param document names the document; the same name is the same document
   */
  show(document: string, pdf: Uint8Array, request: PageRequest): Promise<ShownPage>
}

export function createShownPages(pdf: Pick<PdfPool, 'sizes' | 'show'>): ShownPages {
  const underWay = new Map<string, Promise<ShownPage>>()

  async function draw(document: Uint8Array, request: PageRequest): Promise<ShownPage> {
    const shown = await pdf.show(document, request)
    if (shown.ok) return shown
    if ('isForNow' in shown) throw busy(shown.problem)
    if (!('because' in shown)) throw new Error(`The document ${shown.problem}.`)
    if (shown.because === 'noPage') throw new Refusal('notFound', `page: the document ${shown.problem}.`)
    if (shown.because === 'otherInk') throw otherInk()
    throw new Refusal('invalid', `The document could not be signed: ${shown.problem}`)
  }

  return {
    async sizes(document) {
      const sizes = await pdf.sizes(document)
      if (sizes.ok) return sizes
      if (sizes.isForNow) throw busy(sizes.problem)
      throw new Error(`The document ${sizes.problem}.`)
    },
    show(name, document, request) {
      const key = JSON.stringify([name, request.page, request.width, request.inked?.sha256])
      const known = underWay.get(key)
      if (known) return known
      const drawing = draw(document, request).finally(() => underWay.delete(key))
      underWay.set(key, drawing)
      return drawing
    },
  }
}

const busy = (problem: string) => new Busy(BUSY_RETRY_MS, `The document ${problem}.`)

const otherInk = () =>
  new Refusal(
    'conflict',
    'inkedSha256: the document would look different by now. Ask for its preview again.',
  ).inPlainWords('The document would look different by now. Open it again.')
