/** Facts from the reader of the pages about a document whose structure other readers cannot open. */
import type { PageSize } from '../geometry.ts'
import { withContent } from './content-reader.ts'

/** Returns the sizes of its pages as they are shown, in points; null for a document that cannot be opened. */
export function pageSizes(pdf: Uint8Array): Promise<PageSize[] | null> {
  const read = withContent(pdf, async (doc) => {
    const sizes: PageSize[] = []
    for (let number = 1; number <= doc.numPages; number++) {
      const page = await doc.getPage(number)
      const { width, height } = page.getViewport({ scale: 1 / (page.userUnit || 1) })
      sizes.push({ width, height })
    }
    return sizes
  })
  return read.catch(() => null)
}

/** Returns nothing special for a document that it cannot open either. */
export function documentFacts(pdf: Uint8Array): Promise<{ isCollection: boolean }> {
  const read = withContent(pdf, async (doc) => {
    const { info } = await doc.getMetadata()
    return { isCollection: (info as { IsCollectionPresent?: boolean }).IsCollectionPresent === true }
  })
  return read.catch(() => ({ isCollection: false }))
}
