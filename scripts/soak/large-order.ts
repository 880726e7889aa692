/** A scanned order of nearly a given size: pages of noise, which nothing compresses. */
import { randomFillSync } from 'node:crypto'
import { PDFDocument, PDFName } from 'pdf-lib'

const WIDTH = 1_000
const PAGES = 5
/** Of everything but the pixels, rounded up. */
const OVERHEAD = 4_000

/** At most `size` bytes, and less by no more than a few thousand. */
export async function largeOrder(size: number): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  const height = Math.floor((size - OVERHEAD) / PAGES / WIDTH)
  for (let number = 0; number < PAGES; number++) {
    const page = pdf.addPage([612, 792])
    const pixels = randomFillSync(new Uint8Array(WIDTH * height))
    const image = pdf.context.stream(pixels, {
      Type: 'XObject',
      Subtype: 'Image',
      Width: WIDTH,
      Height: height,
      ColorSpace: 'DeviceGray',
      BitsPerComponent: 8,
    })
    page.node.setXObject(PDFName.of('Scan'), pdf.context.register(image))
    page.node.addContentStream(pdf.context.register(pdf.context.stream('q 612 0 0 792 0 0 cm /Scan Do Q')))
  }
  return pdf.save({ useObjectStreams: false })
}
