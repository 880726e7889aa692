/** The last page of a completed document: who signed what, when, and how to check it. Only appends. */
import { type PDFDocument, type PDFPage, rgb } from 'pdf-lib'
import { type Completion, utcTime } from './completion.ts'
import { fitText } from './fit-text.ts'
import type { FontStyle, Lettering } from './fonts.ts'

const LETTER = [612, 792] as const
const A4 = [595.28, 841.89] as const
const MARGIN = 56
const LABEL_WIDTH = 130
const EVENTS_PER_PAGE = 24

const dark = rgb(0.1, 0.13, 0.2)
const quiet = rgb(0.4, 0.45, 0.52)
const accent = rgb(0.13, 0.36, 0.68)
const rule = rgb(0.82, 0.85, 0.89)
const warning = rgb(0.72, 0.11, 0.11)

export const TEST_NOTICE = 'TEST – not a legal signature'

/** Appends the certificate, and further pages when the events do not fit on one. Returns the first of them. */
export async function addCertificatePage(
  doc: PDFDocument,
  completion: Completion,
  letters: (style: FontStyle) => Promise<Lettering>,
): Promise<PDFPage> {
  const text = await letters('text')
  const strong = await letters('strong')
  const { signer, signedAt, certificate, signatureImage } = completion
  const { events } = certificate
  const size = doc.getPageCount() > 0 && isA4(doc.getPage(0)) ? A4 : LETTER
  const writer = (page: PDFPage) => {
    const { width, height } = page.getSize()
    let y = height - MARGIN
    const put = (line: string, style: Lettering, points: number, color = dark, x = MARGIN) =>
      page.drawText(style.writable(line).replace(/\n/g, ' '), { x, y, size: points, font: style.font, color })
    return {
      down: (points: number) => {
        y -= points
      },
      put,
      rule: (color = rule, thickness = 0.75) =>
        page.drawLine({ start: { x: MARGIN, y }, end: { x: width - MARGIN, y }, color, thickness }),
      /** A label and its value, which wraps. */
      row: (label: string, value: string) => {
        put(label, text, 9, quiet)
        const room = { width: width - 2 * MARGIN - LABEL_WIDTH, height: 60, maxSize: 9.5 }
        const shown = text.writable(value)
        const fitted = fitText(shown, room, (line) => text.font.widthOfTextAtSize(line, 1))
        for (const [i, line] of fitted.lines.entries()) {
          if (i > 0) y -= fitted.lineHeight
          page.drawText(line, { x: MARGIN + LABEL_WIDTH, y, size: fitted.size, font: text.font, color: dark })
        }
        y -= 18
      },
    }
  }
  const first = doc.addPage([...size])
  const sheet = writer(first)
  sheet.down(14)
  sheet.put('Certificate of signature', strong, 20)
  sheet.down(16)
  sheet.put('Added to the document when it was signed, and sealed together with it.', text, 9.5, quiet)
  sheet.down(16)
  sheet.rule(accent, 2)
  sheet.down(26)
  if (certificate.isTest) {
    sheet.put(TEST_NOTICE, strong, 15, warning)
    sheet.down(28)
  }
  const heading = (target: ReturnType<typeof writer>, title: string) => {
    target.down(6)
    target.put(title, strong, 11, accent)
    target.down(7)
    target.rule()
    target.down(17)
  }
  heading(sheet, 'Signer')
  sheet.row('Name', signer.name)
  sheet.row('NPI', signer.npi)
  sheet.row('Organization', signer.organization ?? 'not stated')
  sheet.row('Signed at', utcTime(signedAt))
  sheet.row('Signature', signatureImage ? 'drawn by hand' : 'typed name')
  heading(sheet, 'Document')
  sheet.row('Task', String(certificate.taskId))
  sheet.row('Document', String(certificate.documentId))
  sheet.row('SHA-256 as received', certificate.receivedSha256)
  let current = sheet
  for (const [i, event] of events.entries()) {
    if (i % EVENTS_PER_PAGE === 0) {
      if (i > 0) {
        current = writer(doc.addPage([...size]))
        current.down(14)
      }
      heading(current, i === 0 ? 'Events' : 'Events, continued')
    }
    current.put(utcTime(event.at), text, 8.5)
    current.put(event.status, text, 8.5, dark, MARGIN + LABEL_WIDTH)
    current.put(event.eventId, text, 8.5, quiet, MARGIN + LABEL_WIDTH + 90)
    current.down(13)
  }
  current.down(12)
  for (const line of [
    'All times are UTC. The whole document, this page included, is protected by a digital signature: a PDF viewer',
    'shows it in its signature panel, and any later change of a single bit makes it invalid.',
  ]) {
    current.put(line, text, 8, quiet)
    current.down(11)
  }
  return first
}

const isA4 = (page: PDFPage): boolean => {
  const { width, height } = page.getSize()
  return Math.abs(Math.min(width, height) - A4[0]) < 3 && Math.abs(Math.max(width, height) - A4[1]) < 3
}
