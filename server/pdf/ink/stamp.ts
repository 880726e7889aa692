/** The ink: draws the filled-in fields onto their pages. Only adds; what the sender's document shows stays as it is. */
import { clip, endPath, type PDFDocument, type PDFImage, type PDFPage, rectangle, rgb } from 'pdf-lib'
import type { FieldType } from '../../../lib/contract/task/field-kinds.ts'
import type { Box } from '../../../lib/pdf/geometry.ts'
import { drawIn } from '../../../lib/pdf/placement/canvas.ts'
import type { Field } from '../../../lib/pdf/placement/placement.ts'
import { isolateContent } from '../../../lib/pdf/prepare/isolate-content.ts'
import { fold } from '../../../lib/pdf/text/fold.ts'
import { inkText } from '../../../lib/pdf/text/ink-text.ts'
import { dateIn } from '../../../lib/time-zone.ts'
import type { Ink } from '../completion.ts'
import { coverTexts } from './cover.ts'
import { fitName } from './fit-name.ts'
import { fitText } from './fit-text.ts'
import type { FontStyle, Lettering } from './fonts.ts'

/** Text that was drawn, so that a second reader can look for it. */
export interface DrawnText {
  page: number
  box: Box
  /** From left to right, whatever the direction of its script. */
  text: string
}

const blue = rgb(0.05, 0.1, 0.3)
const accent = rgb(0.13, 0.36, 0.68)
const quiet = rgb(0.3, 0.35, 0.42)

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
    const lines = await inks[field.type]({ page, field, value: values[index], ink, image, letters })
    // One line of a field is enough to find it again.
    const text = lines.find((line) => fold(line) !== '')
    if (text) drawn.push({ page: field.page, box: field.box, text })
  }
  return drawn
}

interface Stamping {
  page: PDFPage
  field: Field
  /** What the signer filled in. */
  value: string | boolean | undefined
  ink: Ink
  /** The drawn signature; undefined when the name is typed. */
  image(): Promise<PDFImage | undefined>
  letters(style: FontStyle): Promise<Lettering>
}

/** How a field of each kind is drawn. Each returns the lines of text that it drew. */
const inks: Readonly<Record<FieldType, (stamping: Stamping) => Promise<string[]>>> = {
  VisibleSignature: async ({ page, field, ink, image, letters }) =>
    ink.isSigned
      ? stampSignature(page, field.box, ink, await image(), await letters('hand'), await letters('text'))
      : [],
  DateSigned: async ({ page, field, ink: { timeZone, signedAt }, letters }) =>
    drawText(page, field.box, dateIn(timeZone, signedAt), await letters('text')),
  TextArea: async ({ page, field, value, letters }) =>
    drawText(page, field.box, textOf(field, value), await letters('text')),
  CheckBox: async ({ page, field, value }) => {
    drawCheckBox(page, field.box, value === true)
    return []
  },
}

/** The text of a field: the signer's, or else what the sender gave. */
export const textOf = (field: Field, value: string | boolean | undefined): string =>
  typeof value === 'string' ? value : (field.value ?? '')

/** Draws a bar at the left, the typed name or the drawn signature, and below it a caption. Returns the lines of the caption. */
export function stampSignature(
  page: PDFPage,
  box: Box,
  { signer, signedAt, timeZone }: Ink,
  image: PDFImage | undefined,
  hand: Lettering,
  text: Lettering,
): string[] {
  const day = dateIn(timeZone, signedAt)
  const name = onOneLine(signer.name)
  const people = [
    ...(image ? [`by ${name}`] : []),
    ...(signer.onBehalfOf ? [`on behalf of ${onOneLine(signer.onBehalfOf.name)}`] : []),
  ].join(' ')
  const caption = (shown: string) => `Electronically signed${shown && ` ${shown}`} · ${day}`
  let lines: string[] = []
  inkIn(page, box, ({ width, height }) => {
    const bar = Math.min(2, width / 40)
    page.drawRectangle({ x: 0, y: 0, width: bar, height, color: accent })
    const left = bar * 3
    const room = Math.max(width - left, 1)
    const captionHeight = height * 0.3
    const below = { x: left, y: 0, width: room, height: captionHeight, maxSize: 7, minSize: 4, color: quiet }
    lines = writeName(page, people, caption, text, below)
    if (image) {
      const scale = Math.min(room / image.width, (height - captionHeight) / image.height)
      page.drawImage(image, {
        x: left,
        y: captionHeight,
        width: image.width * scale,
        height: image.height * scale,
      })
    } else {
      const above = height - captionHeight
      const place = { x: left, y: captionHeight, width: room, height: above, maxSize: 22, minSize: 6, color: blue }
      writeName(page, name, (shown) => shown, hand, place)
    }
  })
  return lines
}

const onOneLine = (name: string) => inkText(name).replaceAll('\n', ' ')

/** Draws into a box, and clips what would reach out of it, such as a very tall letter. */
function inkIn(page: PDFPage, box: Box, draw: Parameters<typeof drawIn>[2]): void {
  drawIn(page, box, (size) => {
    page.pushOperators(rectangle(0, 0, size.width, size.height), clip(), endPath())
    draw(size)
  })
}

interface Place {
  x: number
  y: number
  width: number
  height: number
  maxSize: number
  minSize: number
  color: ReturnType<typeof rgb>
}

/** What is written of a name, as large as its place allows, centred between top and bottom. Returns the lines as drawn. */
function writeName(
  page: PDFPage,
  name: string,
  sentence: (name: string) => string,
  letters: Lettering,
  { x, y, color, ...room }: Place,
): string[] {
  const { lines, size, lineHeight } = fitName(name, sentence, room, letters.width)
  const top = y + (room.height + lines.length * lineHeight) / 2
  return lines.map((line, i) => {
    const middle = top - (i + 0.5) * lineHeight
    return letters.draw(page, line, { x, y: middle - size * 0.28, size, color })
  })
}

const PADDING = 2
const TEXT_SIZE = 10

/** Text in lines from the top, shrunk until all of it is inside. Returns the lines as drawn. */
function drawText(page: PDFPage, box: Box, value: string, letters: Lettering): string[] {
  const text = inkText(value)
  if (text.trim() === '') return []
  let lines: string[] = []
  inkIn(page, box, ({ width, height }) => {
    const padding = Math.min(PADDING, width / 20, height / 10)
    const room = { width: width - 2 * padding, height: height - 2 * padding, maxSize: TEXT_SIZE }
    const fitted = fitText(text, room, letters.width)
    lines = fitted.lines.map((line, i) => {
      const y = height - padding - fitted.lineHeight * i - fitted.size
      return letters.draw(page, line, { x: padding, y, size: fitted.size, color: blue })
    })
  })
  return lines
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
