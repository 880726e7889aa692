/** Text on new pages, set from the top down; where a page is full, another one begins. Only appends. */
import type { PDFDocument, PDFPage, rgb } from 'pdf-lib'
import type { Box } from '../../../lib/pdf/geometry.ts'
import { inkText, spelledOut } from '../../../lib/pdf/text/ink-text.ts'
import { coveredCharacters } from './covered.ts'
import { fitText } from './fit-text.ts'
import type { Lettering } from './fonts.ts'

export type Color = ReturnType<typeof rgb>

export interface Text {
  text: string
  style: Lettering
  /** In points. */
  size: number
  color: Color
  /** The distance from the left margin, in points. */
  indent?: number
}

export interface Sheet {
  /** The first page. */
  page: PDFPage
  /** The texts on one line; they do not wrap. */
  line(texts: readonly Text[], height: number): void
  /** A text that wraps, and shrinks when it is longer than `maxHeight`. */
  paragraph(text: Text, maxHeight: number): void
  /** A line from margin to margin. */
  rule(color: Color, thickness: number): void
  /** Takes a box at the left margin, and moves below it. Points, origin top-left. */
  box(size: { width: number; height: number }): { page: PDFPage; box: Box }
  /** Moves down; up when negative. */
  skip(points: number): void
  /** Begins a new page unless this much is left. */
  keep(points: number): void
}

const MARGIN = 56

export function createSheet(doc: PDFDocument, size: readonly [width: number, height: number]): Sheet {
  const [pageWidth, pageHeight] = size
  const width = pageWidth - 2 * MARGIN
  let page = doc.addPage([pageWidth, pageHeight])
  let y = pageHeight - MARGIN
  const keep = (points: number) => {
    if (y - points >= MARGIN) return
    page = doc.addPage([pageWidth, pageHeight])
    y = pageHeight - MARGIN
  }
  const draw = ({ text, style, size, color, indent = 0 }: Text) =>
    style.draw(page, text, { x: MARGIN + indent, y, size, color })
  const written = (text: Text): Text => ({ ...text, text: writable(inkText(text.text).replace(/\s+/g, ' ')) })

  return {
    page,
    keep,
    line: (texts, height) => {
      keep(height)
      y -= height
      for (const text of texts) draw(written(text))
    },
    paragraph: (text, maxHeight) => {
      const shown = written(text)
      const room = { width: width - (text.indent ?? 0), height: maxHeight, maxSize: text.size }
      const fitted = fitText(shown.text, room, text.style.width)
      for (const line of fitted.lines) {
        keep(fitted.lineHeight)
        y -= fitted.lineHeight
        draw({ ...shown, text: line, size: fitted.size })
      }
    },
    rule: (color, thickness) => {
      page.drawLine({ start: { x: MARGIN, y }, end: { x: MARGIN + width, y }, color, thickness })
    },
    box: ({ width, height }) => {
      keep(height)
      const top = pageHeight - y
      y -= height
      return { page, box: { left: MARGIN, top, right: MARGIN + width, bottom: top + height } }
    },
    skip: (points) => {
      y -= points
    },
  }
}

/** Every font has these, and finding out what all have takes a while. */
const LATIN = /^[ -~\u00a0-\u024f\u2010-\u2027]*$/

/** Texts of senders, such as the name of a patient, are not refused for their characters. choice: Fonts of ink */
const writable = (text: string): string => (LATIN.test(text) ? text : spelledOut(text, coveredCharacters()))
