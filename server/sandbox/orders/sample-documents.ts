/** The documents of the sample orders, made when they are sent: a usual order, and those that are difficult for a signing service. */
import type { PDFDocument as Pdf } from 'pdf-lib'
import type { SampleDocument } from '../../operations/sandbox/orders/orders.ts'

export interface DocumentParts {
  /** The clinical date. */
  date: string
  /** Names the patient: standard fonts have no letters for every name. */
  mrn: string
  /** Written where fields are wanted; null for none. */
  tokens: { signature: string; date: string } | null
}

/** Text of each document, next to which a field can be placed. */
export const PHRASE = 'Physician signature'
/** Points from the top left. */
export const SIGNATURE_AT = { left: 182, top: 540, right: 360, bottom: 576 }
export const DATE_AT = { left: 440, top: 560, right: 540, bottom: 576 }

const [WIDTH, HEIGHT, LEFT] = [612, 792, 72]

export async function sampleDocument(kind: SampleDocument, parts: DocumentParts): Promise<Uint8Array> {
  if (kind === 'damaged') return Buffer.from('This is not a PDF, but a letter that somebody renamed.\n')
  const { PDFDocument, degrees } = await import('pdf-lib')
  const pdf = await PDFDocument.create()
  pdf.setTitle('Physician order')
  // Of one day all copies are equal, so that a demonstration can be repeated.
  const day = new Date(parts.date)
  pdf.setCreationDate(day)
  pdf.setModificationDate(day)
  await drawOrder(pdf, parts)
  if (kind === 'three-pages') for (let page = 2; page <= 3; page++) await drawPlan(pdf, page)
  if (kind === 'rotated') pdf.getPage(0).setRotation(degrees(90))
  if (kind === 'form') await addForm(pdf)
  if (kind === 'script') pdf.addJavaScript('hello', 'app.alert("hello")')
  if (kind === 'attachment') await pdf.attach(Buffer.from('a,b\n1,2\n'), 'values.csv', { mimeType: 'text/csv' })
  return pdf.save()
}

async function drawOrder(pdf: Pdf, { date, mrn, tokens }: DocumentParts): Promise<void> {
  const { StandardFonts } = await import('pdf-lib')
  const [plain, bold] = [await pdf.embedFont(StandardFonts.Helvetica), await pdf.embedFont(StandardFonts.HelveticaBold)]
  const page = pdf.addPage([WIDTH, HEIGHT])
  const write = (text: string, top: number, { x = LEFT, size = 11, font = plain } = {}) =>
    page.drawText(text, { x, y: HEIGHT - top, size, font })
  write('Physician Order', 112, { size: 22, font: bold })
  write(`Patient MRN ${mrn}`, 152)
  write(`Order date ${date}`, 172)
  write('Orders', 216, { size: 13, font: bold })
  write('1.  Skilled nursing twice a week for four weeks: wound assessment and dressing change.', 240)
  write('2.  Physical therapy evaluation and treatment; report gait and balance.', 260)
  write('3.  Call for blood pressure above 160/95 or a weight gain of more than 3 lb in a day.', 280)
  write(PHRASE, 570)
  write('Date', 570, { x: 400 })
  if (!tokens) return
  write(tokens.signature, 570, { x: SIGNATURE_AT.left })
  write(tokens.date, 570, { x: DATE_AT.left })
}

async function drawPlan(pdf: Pdf, number: number): Promise<void> {
  const { StandardFonts } = await import('pdf-lib')
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  const page = pdf.addPage([WIDTH, HEIGHT])
  page.drawText(`Plan of care, page ${number} of 3`, { x: LEFT, y: HEIGHT - 112, size: 14, font })
  page.drawText('Goals: safe transfers, wound closure, stable blood pressure.', {
    x: LEFT,
    y: HEIGHT - 152,
    size: 11,
    font,
  })
}

async function addForm(pdf: Pdf): Promise<void> {
  const form = pdf.getForm()
  const field = form.createTextField('frequency')
  field.setText('Twice a week')
  field.addToPage(pdf.getPage(0), { x: LEFT, y: HEIGHT - 360, width: 200, height: 24 })
}
