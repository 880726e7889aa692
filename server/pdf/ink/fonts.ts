/**
 * Writes text into a document, in every script for which a font is installed. Only the glyphs in use are embedded; what is to be
 * written was checked before, see `unstampable`.
 */
import {
  beginText,
  endText,
  type PDFDocument,
  type PDFName,
  type PDFPage,
  popGraphicsState,
  pushGraphicsState,
  setFillingColor,
  setFontAndSize,
  setTextMatrix,
} from 'pdf-lib'
import { inkText } from '../../../lib/pdf/text/ink-text.ts'
import { type EmbeddedFont, embedFont } from './letters/embedded-font.ts'
import { type Face, facesOf } from './letters/face.ts'
import type { FontStyle } from './letters/font-files.ts'
import { loadShaper, type ShapedPiece } from './letters/shape.ts'
import { showGlyphs } from './letters/show-text.ts'

export type { FontStyle } from './letters/font-files.ts'

export interface Place {
  /** Where the text begins, on its baseline. */
  x: number
  y: number
  /** In points. */
  size: number
  color: Parameters<typeof setFillingColor>[0]
}

export interface Lettering {
  /** The width of a line at size 1. */
  width(line: string): number
  /** Returns the characters as they are from left to right. */
  draw(page: PDFPage, line: string, place: Place): string
}

/** Returns a function that gives the letters of a style. Letters of one document share their fonts. */
export function lettering(doc: PDFDocument): (style: FontStyle) => Promise<Lettering> {
  const embedded = new Map<Face, EmbeddedFont>()
  const embeddedFont = (face: Face): EmbeddedFont => {
    const font = embedded.get(face) ?? embedFont(doc.context, face)
    embedded.set(face, font)
    return font
  }
  return async (style) => {
    const shape = await loadShaper()
    const faces = facesOf(style)
    const known = new Map<string, ShapedPiece[]>()
    // A line is measured before it is drawn.
    const shaped = (line: string) => {
      const pieces = known.get(line) ?? shape(inkText(line), faces)
      known.set(line, pieces)
      return pieces
    }
    return {
      width: (line) => widthOf(shaped(line)) / 1000,
      draw: (page, line, place) => drawPieces(page, shaped(line), place, embeddedFont),
    }
  }
}

const widthOf = (pieces: readonly ShapedPiece[]): number =>
  pieces.reduce((sum, { glyphs }) => glyphs.reduce((width, { advance }) => width + advance, sum), 0)

function drawPieces(
  page: PDFPage,
  pieces: readonly ShapedPiece[],
  { x, y, size, color }: Place,
  embeddedFont: (face: Face) => EmbeddedFont,
): string {
  page.pushOperators(pushGraphicsState(), beginText(), setFillingColor(color), setTextMatrix(1, 0, 0, 1, x, y))
  for (const { face, glyphs } of pieces) {
    const font = embeddedFont(face)
    page.pushOperators(setFontAndSize(fontKey(page, font), size), ...showGlyphs(glyphs, size, font.code))
  }
  page.pushOperators(endText(), popGraphicsState())
  return pieces.flatMap(({ glyphs }) => glyphs.map(({ text }) => text)).join('')
}

const keys = new WeakMap<PDFPage, Map<EmbeddedFont, PDFName>>()

/** The name of the font in the resources of the page. */
function fontKey(page: PDFPage, font: EmbeddedFont): PDFName {
  const ofPage = keys.get(page) ?? new Map<EmbeddedFont, PDFName>()
  keys.set(page, ofPage)
  const key = ofPage.get(font) ?? page.node.newFontDictionary(font.name, font.ref)
  ofPage.set(font, key)
  return key
}
