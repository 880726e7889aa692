/** The last page of a completed document: who signed what, when, and how to check it. Only appends. */
import { type PDFDocument, type PDFPage, rgb } from 'pdf-lib'
import { preparationSentences } from '../../../lib/pdf/prepare/preparation.ts'
import { timeIn } from '../../../lib/time-zone.ts'
import type { Completion } from '../completion.ts'
import type { FontStyle, Lettering } from './fonts.ts'
import { createSheet, type Sheet } from './sheet.ts'

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
  completion: Completion,
  inked: InkedDigest,
  letters: (style: FontStyle) => Promise<Lettering>,
): Promise<PDFPage> {
  const text = await letters('text')
  const strong = await letters('strong')
  const writing: Writing = { text, strong, sheet: createSheet(doc, isA4(doc.getPage(0)) ? A4 : LETTER) }
  writeTitle(writing, completion.certificate.isTest)
  writeSigner(writing, completion)
  writeDocument(writing, completion, inked)
  writeEvents(writing, completion)
  writeExplanation(writing, inked)
  return writing.sheet.page
}

interface Writing {
  text: Lettering
  strong: Lettering
  sheet: Sheet
}

function writeTitle({ sheet, text, strong }: Writing, isTest: boolean): void {
  sheet.line([{ text: 'Certificate of signature', style: strong, size: 20, color: dark }], 18)
  const subtitle = 'Added to the document when it was signed, and sealed together with it.'
  sheet.line([{ text: subtitle, style: text, size: 9.5, color: quiet }], 17)
  sheet.skip(15)
  sheet.rule(accent, 2)
  sheet.skip(8)
  if (!isTest) return
  sheet.line([{ text: TEST_NOTICE, style: strong, size: 15, color: warning }], 20)
  sheet.skip(8)
}

function writeSigner(writing: Writing, { signer, signedAt, timeZone, signatureImage }: Completion): void {
  writeHeading(writing, 'Signer')
  writeRow(writing, 'Name', signer.name)
  writeRow(writing, 'NPI', signer.npi)
  writeRow(writing, 'Organization', signer.organization ?? 'not stated')
  writeRow(writing, 'Signed at', timeIn(timeZone, signedAt))
  writeRow(writing, 'Signature', signatureImage ? 'drawn by hand' : 'typed name')
}

function writeDocument(writing: Writing, { certificate }: Completion, inked: InkedDigest): void {
  writeHeading(writing, 'Document')
  writeRow(writing, 'Task', String(certificate.taskId))
  writeRow(writing, 'Document', String(certificate.documentId))
  // Each on one line, so that it can be copied in one piece.
  writeRow(writing, 'SHA-256 as received', certificate.receivedSha256, 11)
  writeRow(writing, 'SHA-256 as signed', inked.sha256, 11)
  if (certificate.preparations.length === 0) return
  const sentences = certificate.preparations.map((preparation) => preparationSentences[preparation])
  writeRow(writing, 'Before it was shown', sentences.join(' '))
}

function writeEvents(writing: Writing, { certificate }: Completion): void {
  writeHeading(writing, 'Events')
  const { sheet, text } = writing
  for (const { at, status, eventId } of certificate.events) {
    const columns = [
      { text: timeIn('UTC', at), style: text, size: 8.5, color: dark },
      { text: status, style: text, size: 8.5, color: dark, indent: LABEL_WIDTH },
      { text: eventId, style: text, size: 8.5, color: quiet, indent: LABEL_WIDTH + 90 },
    ]
    sheet.line(columns, 13)
  }
}

function writeExplanation({ sheet, text }: Writing, { bytes }: InkedDigest): void {
  sheet.skip(14)
  sheet.keep(30)
  const explanation =
    `As signed means the first ${bytes} bytes of this file, without this page. Times are UTC, or tell how they differ from ` +
    'it. The whole document, this page included, is protected by a digital signature: a PDF viewer shows it in its ' +
    'signature panel, and any later change, even of a single bit, makes it invalid.'
  sheet.paragraph({ text: explanation, style: text, size: 8, color: quiet }, 40)
}

function writeHeading({ sheet, strong }: Writing, title: string): void {
  sheet.keep(60)
  sheet.line([{ text: title, style: strong, size: 11, color: accent }], 24)
  sheet.skip(7)
  sheet.rule(faint, 0.75)
  sheet.skip(5)
}

/** A label, and beside it a text that shrinks when it is higher than `maxHeight` points. */
function writeRow({ sheet, text }: Writing, label: string, value: string, maxHeight = 60): void {
  sheet.keep(20)
  sheet.line([{ text: label, style: text, size: 9, color: quiet }], 12)
  sheet.skip(-12)
  sheet.paragraph({ text: value, style: text, size: 9.5, color: dark, indent: LABEL_WIDTH }, maxHeight)
  sheet.skip(6)
}

const isA4 = (page: PDFPage): boolean => {
  const { width, height } = page.getSize()
  return Math.abs(Math.min(width, height) - A4[0]) < 3 && Math.abs(Math.max(width, height) - A4[1]) < 3
}
