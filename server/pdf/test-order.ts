/** The document of a test order: a page on which everyone sees at once that it is no order, with room for a signature and a date. */

/** Texts of the page next to which the signature and the date are placed. */
export const TEST_ORDER_PHRASES = { signature: 'Signature:', date: 'Date signed:' } as const

/** @param date written on the page, YYYY-MM-DD */
export async function testOrderPdf(date: string): Promise<Buffer> {
  const { PDFDocument, StandardFonts, rgb } = await import('pdf-lib')
  const pdf = await PDFDocument.create()
  pdf.setTitle('Test order')
  const [plain, bold] = [await pdf.embedFont(StandardFonts.Helvetica), await pdf.embedFont(StandardFonts.HelveticaBold)]
  const page = pdf.addPage([WIDTH, HEIGHT])
  const write = (text: string, top: number, { x = LEFT, size = 12, font = plain } = {}) =>
    page.drawText(text, { x, y: HEIGHT - top, size, font })
  page.drawRectangle({ x: 0, y: HEIGHT - 150, width: WIDTH, height: 100, color: rgb(0.75, 0.1, 0.1) })
  page.drawText('TEST ORDER', { x: LEFT, y: HEIGHT - 100, size: 36, font: bold, color: rgb(1, 1, 1) })
  page.drawText('There is no such patient. Nothing is to be done.', {
    x: LEFT,
    y: HEIGHT - 130,
    size: 14,
    font: bold,
    color: rgb(1, 1, 1),
  })
  write('This document only shows that orders reach their signer, and that the result comes back.', 200)
  write('Signing it orders no care. It may be rejected instead.', 222)
  write(`Sent ${date}`, 262)
  write(TEST_ORDER_PHRASES.signature, 560)
  write(TEST_ORDER_PHRASES.date, 620)
  return Buffer.from(await pdf.save())
}

const [WIDTH, HEIGHT, LEFT] = [612, 792, 72]
