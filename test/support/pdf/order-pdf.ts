/** A small order as a sender's system prints it: a phrase to stand beside, and, when asked for, tokens. One for all tests. */
import { PDFDocument, StandardFonts } from 'pdf-lib'

export interface OrderPdfOptions {
  pages?: number
  /** Lines of the first page; each stands 24 points below the one before. */
  lines?: readonly string[]
}

export const TOKENS = [
  '{SVC-signature-owner1}',
  '{SVC-date-owner1}',
  '{SVC-text-owner1}',
  '{SVC-checkBox-owner1}',
] as const
export const PHRASE = 'Physician Signature:'

/** Letter pages, 612 × 792 points. The first line stands 72 points from the top and from the left. */
export async function orderPdf({ pages = 1, lines = ['Order', PHRASE, ...TOKENS] }: OrderPdfOptions = {}) {
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  for (let number = 1; number <= pages; number++) {
    const page = pdf.addPage([612, 792])
    const texts = number === 1 ? lines : [`Page ${number}`]
    for (const [index, text] of texts.entries()) page.drawText(text, { x: 72, y: 720 - 24 * index, size: 12, font })
  }
  return pdf.save()
}

export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** The order as a sender attaches it. */
export const ORDER = base64(await orderPdf())
