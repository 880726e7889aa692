/** The document that takes the place of a private one: as many pages, and nothing on them but that it is a stand-in. */
import { PDFDocument, StandardFonts } from 'pdf-lib'

/** More pages say no more, and a file with thousands is no longer small. */
const MOST_PAGES = 200
const LETTER: [number, number] = [612, 792]
/** The same bytes each time. */
const EPOCH = new Date(0)

/** @param number tells documents apart that have as many pages */
export async function blankPdf(pages: number, number: number): Promise<Buffer> {
  const pdf = await PDFDocument.create({ updateMetadata: false })
  pdf.setCreationDate(EPOCH)
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  for (let page = 1; page <= Math.min(pages, MOST_PAGES); page++)
    pdf.addPage(LETTER).drawText(`Stand-in for document ${number}, page ${page}`, { x: 72, y: 700, size: 12, font })
  return Buffer.from(await pdf.save())
}
