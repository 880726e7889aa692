/** The last page of a completed document: who signed what, when, and how to check it. Only appends. */
import { type PDFDocument, type PDFPage, rgb } from 'pdf-lib'
import { preparationSentences } from '../../../lib/pdf/prepare/preparation.ts'
import { timeIn } from '../../../lib/time-zone.ts'
import type { Completion } from '../completion.ts'
import type { FontStyle, Lettering } from './fonts.ts'
import { createSheet } from './sheet.ts'

export const TEST_NOTICE = 'TEST – not a legal signature'

const LETTER = [612, 792] as const
const A4 = [595.28, 841.89] as const
const LABEL_WIDTH = 130

const dark = rgb(0.1, 0.13, 0.2)
const quiet = rgb(0.4, 0.45, 0.52)
const accent = rgb(0.13, 0.36, 0.68)
const faint = rgb(0.82, 0.85, 0.89)
const warning = rgb(0.72, 0.11, 0.11)

/** The document with what the signer filled in, before this page and the seal: the first `bytes` bytes of the file. */
export interface InkedDigest {
  /** Hexadecimal. */
  sha256: string
  bytes: number
}

/** Appends the certificate, and further pages when it does not fit on one. Returns the first of them. */
export async function addCertificatePage(
  doc: PDFDocument,
  { signer, signedAt, timeZone, certificate, signatureImage }: Completion,
  inked: InkedDigest,
  letters: (style: FontStyle) => Promise<Lettering>,
): Promise<PDFPage> {
  const text = await letters('text')
  const strong = await letters('strong')
  const sheet = createSheet(doc, isA4(doc.getPage(0)) ? A4 : LETTER)

  const heading = (title: string) => {
    sheet.keep(60)
    sheet.line([{ text: title, style: strong, size: 11, color: accent }], 24)
    sheet.skip(7)
    sheet.rule(faint, 0.75)
    sheet.skip(5)
  }
  const row = (label: string, value: string, maxHeight = 60) => {
    sheet.keep(20)
    sheet.line([{ text: label, style: text, size: 9, color: quiet }], 12)
    sheet.skip(-12)
    sheet.paragraph({ text: value, style: text, size: 9.5, color: dark, indent: LABEL_WIDTH }, maxHeight)
    sheet.skip(6)
  }

  sheet.line([{ text: 'Certificate of signature', style: strong, size: 20, color: dark }], 18)
  const subtitle = 'Added to the document when it was signed, and sealed together with it.'
  sheet.line([{ text: subtitle, style: text, size: 9.5, color: quiet }], 17)
  sheet.skip(15)
  sheet.rule(accent, 2)
  sheet.skip(8)
  if (certificate.isTest) {
    sheet.line([{ text: TEST_NOTICE, style: strong, size: 15, color: warning }], 20)
    sheet.skip(8)
  }
  heading('Signer')
  row('Name', signer.name)
  row('NPI', signer.npi)
  row('Organization', signer.organization ?? 'not stated')
  row('Signed at', timeIn(timeZone, signedAt))
  row('Signature', signatureImage ? 'drawn by hand' : 'typed name')
  heading('Document')
  row('Task', String(certificate.taskId))
  row('Document', String(certificate.documentId))
  // Each on one line, so that it can be copied in one piece.
  row('SHA-256 as received', certificate.receivedSha256, 11)
  row('SHA-256 as signed', inked.sha256, 11)
  if (certificate.preparations.length > 0) {
    const sentences = certificate.preparations.map((preparation) => preparationSentences[preparation])
    row('Before it was shown', sentences.join(' '))
  }
  heading('Events')
  for (const { at, status, eventId } of certificate.events) {
    const columns = [
      { text: timeIn('UTC', at), style: text, size: 8.5, color: dark },
      { text: status, style: text, size: 8.5, color: dark, indent: LABEL_WIDTH },
      { text: eventId, style: text, size: 8.5, color: quiet, indent: LABEL_WIDTH + 90 },
    ]
    sheet.line(columns, 13)
  }
  sheet.skip(14)
  sheet.keep(30)
  const note =
    `As signed means the first ${inked.bytes} bytes of this file, without this page. Times are UTC, or tell how they differ from it. The whole document, this page included, is protected by a digital signature: a PDF viewer shows ` +
    'it in its signature panel, and any later change, even of a single bit, makes it invalid.'
  sheet.paragraph({ text: note, style: text, size: 8, color: quiet }, 40)
  return sheet.page
}

const isA4 = (page: PDFPage): boolean => {
  const { width, height } = page.getSize()
  return Math.abs(Math.min(width, height) - A4[0]) < 3 && Math.abs(Math.max(width, height) - A4[1]) < 3
}
