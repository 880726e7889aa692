/** The last page of a completed document: who signed what, when, and how to check it. Only appends. */
import { type PDFDocument, type PDFPage, rgb } from 'pdf-lib'
import { timeIn } from '../../../lib/time-zone.ts'
import type { Completion } from '../completion.ts'
import { type CertificateRow, documentRows, fieldRows, signerRows } from './certificate-rows.ts'
import type { FontStyle, Lettering } from './fonts.ts'
import { createSheet, type Sheet } from './sheet.ts'
import { stampSignature } from './stamp-signature.ts'

export const TEST_NOTICE = 'TEST – not a legal signature'

const LETTER = [612, 792] as const
const A4 = [595.28, 841.89] as const
const LABEL_WIDTH = 130
/** The size of a signature that has no field, in points. */
const SIGNATURE = { width: 240, height: 48 }

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
  if (completion.signature === 'onCertificate') await writeSignature(writing, doc, completion, letters)
  writeRows(writing, 'Signer', signerRows(completion))
  writeRows(writing, 'Document', documentRows(completion))
  // Each on one line, so that it can be copied in one piece.
  writeRow(writing, ['SHA-256 as received', completion.certificate.receivedSha256], 11)
  writeRow(writing, ['SHA-256 as signed', inked.sha256], 11)
  if (completion.fields.length > 0) writeRows(writing, 'Fields', fieldRows(completion))
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

/** The signature of a document whose pages have no field for it. */
async function writeSignature(
  { sheet }: Writing,
  doc: PDFDocument,
  completion: Completion,
  letters: (style: FontStyle) => Promise<Lettering>,
): Promise<void> {
  const { signatureImage } = completion
  const image = signatureImage ? await doc.embedPng(signatureImage) : undefined
  sheet.skip(6)
  const { page, box } = sheet.box(SIGNATURE)
  stampSignature(page, box, completion, image, await letters('hand'), await letters('text'))
}

function writeEvents(writing: Writing, { certificate: { receivedAt, shownAt, events } }: Completion): void {
  writeHeading(writing, 'Events')
  const { sheet, text } = writing
  const all = [
    { at: receivedAt, status: 'Received', eventId: '' },
    ...(shownAt === null ? [] : [{ at: shownAt, status: 'First shown', eventId: '' }]),
    ...events,
  ].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
  for (const { at, status, eventId } of all) {
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
  sheet.keep(40)
  const explanation =
    `As signed means the first ${bytes} bytes of this file, without this page. Times are UTC, or tell how they differ from ` +
    'it. When the sender was given the document is known only later: the audit log of the service says it. The whole ' +
    'document, this page included, is protected by a digital signature: a PDF viewer shows it in its signature panel, and ' +
    'any later change, even of a single bit, makes it invalid.'
  sheet.paragraph({ text: explanation, style: text, size: 8, color: quiet }, 50)
}

function writeHeading({ sheet, strong }: Writing, title: string): void {
  sheet.keep(60)
  sheet.line([{ text: title, style: strong, size: 11, color: accent }], 24)
  sheet.skip(7)
  sheet.rule(faint, 0.75)
  sheet.skip(5)
}

function writeRows(writing: Writing, title: string, rows: readonly CertificateRow[]): void {
  writeHeading(writing, title)
  for (const row of rows) writeRow(writing, row)
}

/** A label, and alongside it a text that continues in further lines, or shrinks when it is higher than `maxHeight` points. */
function writeRow({ sheet, text }: Writing, [label, value]: CertificateRow, maxHeight = Infinity): void {
  sheet.keep(20)
  sheet.line([{ text: label, style: text, size: 9, color: quiet }], 12)
  sheet.skip(-12)
  sheet.paragraph({ text: value, style: text, size: 9.5, color: dark, indent: LABEL_WIDTH }, maxHeight)
  sheet.skip(4)
}

const isA4 = (page: PDFPage): boolean => {
  const { width, height } = page.getSize()
  return Math.abs(Math.min(width, height) - A4[0]) < 3 && Math.abs(Math.max(width, height) - A4[1]) < 3
}
