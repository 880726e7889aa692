/** A physician's order as the record system of an agency would print it. The patient does not exist. */
import { PDFDocument, rgb, StandardFonts } from 'pdf-lib'
import type { Annotations } from '../lib/index.ts'

const INK = rgb(0.13, 0.15, 0.2)
const FAINT = rgb(0.55, 0.58, 0.62)
const LEFT = 72
const RIGHT = 540
const PAGE_HEIGHT = 792

/** The fields for the signer: boxes on page 1, in points from the top left. */
export const annotations: Annotations = {
  type: 'Json',
  data: [
    { type: 'VisibleSignature', required: true, pageNumber: 1, left: LEFT, top: 600, right: 300, bottom: 640 },
    { type: 'DateSigned', required: true, pageNumber: 1, left: 380, top: 622, right: RIGHT, bottom: 640 },
    { type: 'CheckBox', required: true, pageNumber: 1, left: LEFT, top: 520, right: LEFT + 12, bottom: 532 },
    {
      type: 'TextArea',
      value: 'Continue as ordered.',
      pageNumber: 1,
      left: LEFT,
      top: 450,
      right: RIGHT,
      bottom: 490,
    },
  ],
}

/** `date` is the clinical date, YYYY-MM-DD. */
export async function demoOrder(date: string): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  pdf.setTitle('Physician order')
  const page = pdf.addPage([612, PAGE_HEIGHT])
  const [plain, bold] = [await pdf.embedFont(StandardFonts.Helvetica), await pdf.embedFont(StandardFonts.HelveticaBold)]
  const write = (text: string, top: number, { x = LEFT, size = 11, font = plain, color = INK } = {}) =>
    page.drawText(text, { x, y: PAGE_HEIGHT - top, size, font, color })
  const line = (top: number, from = LEFT, to = RIGHT) =>
    page.drawLine({
      start: { x: from, y: PAGE_HEIGHT - top },
      end: { x: to, y: PAGE_HEIGHT - top },
      thickness: 0.75,
      color: FAINT,
    })
  const row = (label: string, value: string, top: number) => {
    write(label, top, { size: 9, color: FAINT })
    write(value, top, { x: 190 })
  }

  write('Willow Creek Home Health', 84, { size: 10, color: FAINT })
  write('Physician Order', 112, { size: 18, font: bold })
  line(126)
  row('Patient', 'Alma Whitfield, born 1948-03-12, MRN WC100001', 152)
  row('Physician', 'Helen Marsh MD, Lakeside Family Practice', 172)
  row('Order date', date, 192)
  write('Orders', 236, { size: 13, font: bold })
  const orders = [
    'Skilled nursing twice a week for four weeks: wound assessment and dressing change.',
    'Physical therapy evaluation and treatment; report gait and balance.',
    'Call for blood pressure above 160/95 or a weight gain of more than 3 lb in a day.',
  ]
  orders.forEach((text, index) => {
    write(`${index + 1}.  ${text}`, 260 + 20 * index)
  })
  write("Physician's comments", 442, { size: 9, color: FAINT })
  write('I certify that this patient is under my care and needs these services.', 530, { x: LEFT + 22 })
  line(642, LEFT, 300)
  write('Signature', 654, { size: 9, color: FAINT })
  line(642, 380)
  write('Date signed', 654, { x: 380, size: 9, color: FAINT })
  return pdf.save()
}
