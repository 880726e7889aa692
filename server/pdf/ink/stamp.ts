/** The ink: draws the filled-in fields onto their pages. Only adds; what the sender's document shows stays as it is. */
import type { PDFDocument, PDFImage, PDFPage } from 'pdf-lib'
import type { FieldType } from '../../../lib/contract/task/field-kinds.ts'
import type { Box } from '../../../lib/pdf/geometry.ts'
import type { Field } from '../../../lib/pdf/placement/placement.ts'
import { isolateContent } from '../../../lib/pdf/prepare/isolate-content.ts'
import { fold } from '../../../lib/pdf/text/fold.ts'
import { inkText } from '../../../lib/pdf/text/ink-text.ts'
import { dateIn } from '../../../lib/time-zone.ts'
import type { Ink } from '../completion.ts'
import { coverTexts } from './cover.ts'
import { isCrowded } from './crowded.ts'
import { fitText } from './fit-text.ts'
import type { FontStyle, Lettering } from './fonts.ts'
import { blue, inkIn } from './ink-in.ts'
import { stampSignature } from './stamp-signature.ts'

/** Text that was drawn, so that a second reader can look for it. */
export interface DrawnText {
  page: number
  box: Box
  /** The text from left to right, whatever the direction of its script. */
  text: string
  /** Index of the field that it is in. */
  field: number
  /** Whether the text of the field is too long to be read in its box. */
  isCrowded: boolean
}

/** Stamps every field that has something to show. Returns which texts were drawn where. */
export async function stampFields(
  doc: PDFDocument,
  ink: Ink,
  letters: (style: FontStyle) => Promise<Lettering>,
): Promise<DrawnText[]> {
  const { fields, values, signatureImage } = ink
  const pages = doc.getPages()
  const drawn: DrawnText[] = []
  let embedded: PDFImage | undefined
  const image = async () => {
    if (signatureImage) embedded ??= await doc.embedPng(signatureImage)
    return embedded
  }
  for (const number of new Set(fields.map(({ page }) => page))) {
    const page = pages[number - 1]
    if (page) isolateContent(page)
  }
  coverTexts(pages, fields)
  for (const [index, field] of fields.entries()) {
    const page = pages[field.page - 1]
    if (!page) throw new RangeError(`field ${index} is on page ${field.page} of ${pages.length}`)
    const { lines, isCrowded = false } = await inks[field.type]({
      page,
      field,
      value: values[index],
      ink,
      image,
      letters,
    })
    // One line of a field is enough to find it again.
    const text = lines.find((line) => fold(line) !== '')
    if (text) drawn.push({ page: field.page, box: field.box, text, field: index, isCrowded })
  }
  return drawn
}

interface Stamping {
  page: PDFPage
  field: Field
  /** The signer's entry. */
  value: string | boolean | undefined
  ink: Ink
  /** The drawn signature; undefined when the name is typed. */
  image(): Promise<PDFImage | undefined>
  letters(style: FontStyle): Promise<Lettering>
}

/** The text drawn in a field: its lines, and whether they are too small to be read. */
interface Stamped {
  lines: string[]
  isCrowded?: boolean
}

/** How a field of each kind is drawn. */
const inks: Readonly<Record<FieldType, (stamping: Stamping) => Promise<Stamped>>> = {
  VisibleSignature: async ({ page, field, ink, image, letters }) => ({
    lines: ink.isSigned
      ? stampSignature(page, field.box, ink, await image(), await letters('hand'), await letters('text'))
      : [],
  }),
  DateSigned: async ({ page, field, ink: { timeZone, signedAt }, letters }) =>
    drawText(page, field.box, dateIn(timeZone, signedAt), await letters('text')),
  TextArea: async ({ page, field, value, letters }) =>
    drawText(page, field.box, textOf(field, value), await letters('text')),
  CheckBox: async ({ page, field, value }) => {
    drawCheckBox(page, field.box, value === true)
    return { lines: [] }
  },
}

/** The text of a field: the signer's, or else what the sender gave. */
export const textOf = (field: Field, value: string | boolean | undefined): string =>
  typeof value === 'string' ? value : (field.value ?? '')

const PADDING = 2
const TEXT_SIZE = 10

/** Text in lines from the top, shrunk until all of it is inside. Returns the lines as drawn. */
function drawText(page: PDFPage, box: Box, value: string, letters: Lettering): Stamped {
  const text = inkText(value)
  const stamped: Stamped = { lines: [] }
  if (text.trim() === '') return stamped
  inkIn(page, box, ({ width, height }) => {
    const padding = Math.min(PADDING, width / 20, height / 10)
    const room = { width: width - 2 * padding, height: height - 2 * padding, maxSize: TEXT_SIZE }
    const fitted = fitText(text, room, letters.width)
    stamped.isCrowded = isCrowded(fitted, room)
    stamped.lines = fitted.lines.map((line, i) => {
      const y = height - padding - fitted.lineHeight * i - fitted.size
      return letters.draw(page, line, { x: padding, y, size: fitted.size, color: blue })
    })
  })
  return stamped
}

/** A square, with a tick in it when it is checked. */
function drawCheckBox(page: PDFPage, box: Box, isChecked: boolean): void {
  inkIn(page, box, ({ width, height }) => {
    const side = Math.min(width, height)
    const [x, y] = [(width - side) / 2, (height - side) / 2]
    const line = side / 14
    page.drawRectangle({
      x: x + line / 2,
      y: y + line / 2,
      width: side - line,
      height: side - line,
      borderColor: blue,
      borderWidth: line,
    })
    if (!isChecked) return
    const at = (across: number, up: number) => ({ x: x + side * across, y: y + side * up })
    const stroke = { thickness: side / 8, color: blue }
    page.drawLine({ start: at(0.2, 0.5), end: at(0.42, 0.25), ...stroke })
    page.drawLine({ start: at(0.42, 0.25), end: at(0.82, 0.78), ...stroke })
  })
}
