/** One look at a PDF by each of the readers that the service has: structure, content, and the second viewer. */
import { PDFDocument } from 'pdf-lib'
import { operatorsOfPage, withContent } from '../../../lib/pdf/text/content-reader.ts'
import { pageCountInViewer } from '../../../server/pdf/compare/pictures.ts'

export default async function look(pdf: Uint8Array): Promise<number> {
  const structure = await PDFDocument.load(pdf, { updateMetadata: false, parseSpeed: Infinity })
  await withContent(pdf, async (doc) => {
    for (let number = 1; number <= doc.numPages; number++) {
      await operatorsOfPage(await doc.getPage(number), { withAnnotations: false })
    }
  })
  await pageCountInViewer(pdf)
  return structure.getPageCount()
}
