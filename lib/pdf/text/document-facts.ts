/** What the reader of the pages knows of a document whose structure other readers cannot open. */
import { withContent } from './content-reader.ts'

/** Returns nothing special for a document that it cannot open either. */
export function documentFacts(pdf: Uint8Array): Promise<{ isCollection: boolean }> {
  const read = withContent(pdf, async (doc) => {
    const { info } = await doc.getMetadata()
    return { isCollection: (info as { IsCollectionPresent?: boolean }).IsCollectionPresent === true }
  })
  return read.catch(() => ({ isCollection: false }))
}
