/**
 * Draws a document: each page becomes one picture of what PDFium shows of it, in a new file that every viewer can show in one way
 * only. Form fields, notes, and layers are drawn as they show on a screen; nothing else of the file is kept.
 */
import { PDFDocument, PDFName, PDFRawStream } from 'pdf-lib'
import type { PageSize } from '../../../lib/pdf/geometry.ts'
import type { PdfLimits } from '../../../lib/pdf/guard/limits.ts'
import { type ViewedDocument, ViewerError, viewDocument } from '../compare/viewed-document.ts'
import { withViewer } from '../compare/viewer.ts'
import { type PageImage, pageImage } from './page-image.ts'

/** `problem` continues a sentence about the document and never quotes it. */
export interface Undrawable {
  ok: false
  problem: string
}

export type Measured = { ok: true; pages: PageSize[] } | Undrawable

export type Drawn = { ok: true; pdf: Uint8Array; pages: PageSize[] } | Undrawable

/** Dots per inch by default. */
export const USUAL_DPI = 200
/** A page of A3 has 7.7 million at that resolution; a larger one is drawn more coarsely. */
const MOST_PIXELS = 8_000_000

/** Returns the sizes of the pages that `drawDocument` would draw, in points, or why the document cannot be drawn. Draws nothing. */
export const measureDocument = (received: Uint8Array, limits: PdfLimits): Promise<Measured> =>
  withDrawable(received, limits, async ({ pageCount, sizeOf }) => ({
    ok: true,
    pages: Array.from({ length: pageCount }, (_, index) => roundedSize(checked(sizeOf(index), index, limits))),
  }))

/**
 * @param onPageCount called with the number of pages before they are drawn: many may take longer
 * @param dpi dots per inch of a page of up to A3
 */
export const drawDocument = (
  received: Uint8Array,
  limits: PdfLimits,
  onPageCount: (count: number) => void = () => {},
  dpi: number = USUAL_DPI,
): Promise<Drawn> =>
  withDrawable(received, limits, async ({ pageCount, drawPage }) => {
    onPageCount(pageCount)
    const drawn = await PDFDocument.create({ updateMetadata: false })
    const pages: PageSize[] = []
    let bytes = 0
    for (let index = 0; index < pageCount; index++) {
      const { page, picture } = drawPage(index, (size) => pixelsOf(checked(size, index, limits), dpi))
      const image = pageImage(picture)
      bytes += image.data.length
      if (bytes > limits.maxBytes)
        return refused('converted to pictures is larger than a document may be; print it to PDF again')
      const size = roundedSize(page)
      addPage(drawn, size, image)
      pages.push(size)
    }
    const pdf = await drawn.save({ useObjectStreams: false, objectsPerTick: Infinity, addDefaultPage: false })
    return { ok: true, pdf, pages }
  })

/** Opens the document in a viewer for as long as `use` takes, or returns why it cannot be drawn. */
async function withDrawable<T extends { ok: true }>(
  received: Uint8Array,
  limits: PdfLimits,
  use: (document: ViewedDocument) => Promise<T | Undrawable>,
): Promise<T | Undrawable> {
  try {
    return await withViewer(async ({ pdfium }) => {
      const document = viewDocument(pdfium, received)
      const { pageCount, isDynamicXfa } = document
      if (isDynamicXfa) return refused('is a dynamic XFA form, which has no pages of its own; print it to PDF first')
      if (pageCount === 0) return refused('damaged: it has no pages')
      if (pageCount > limits.maxDrawnPages)
        return refused(
          `has ${pageCount} pages that would have to be converted to pictures, and at most ${limits.maxDrawnPages} are; print it to PDF again`,
        )
      return await use(document)
    })
  } catch (error) {
    if (error instanceof WrongSize) return refused(error.message)
    // The viewer ends itself where it has no memory left.
    if (error instanceof Error && error.name === 'RuntimeError') return refused(UNDRAWABLE)
    if (error instanceof ViewerError)
      return refused(error.needsPassword ? 'protected by a password; send it without one' : UNDRAWABLE)
    throw error
  }
}

const refused = (problem: string): Undrawable => ({ ok: false, problem })

const UNDRAWABLE = 'damaged: it cannot be opened or drawn; save or print it to PDF again'

class WrongSize extends Error {}

function checked(size: PageSize, index: number, { minPageSide, maxPageSide }: PdfLimits): PageSize {
  const isWithin = [size.width, size.height].every((side) => side >= minPageSide && side <= maxPageSide)
  if (isWithin) return size
  const wanted = `between ${minPageSide} and ${maxPageSide} points wide and high`
  throw new WrongSize(`page ${index + 1} is not ${wanted}; print it to PDF again`)
}

function pixelsOf({ width, height }: PageSize, dpi: number): PageSize {
  const most = MOST_PIXELS * (dpi / USUAL_DPI) ** 2
  const scale = Math.min(dpi / 72, Math.sqrt(most / (width * height)))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** The viewer keeps sizes in 32 bits, whose last digits mean nothing. */
const rounded = (side: number): number => Math.round(side * 1000) / 1000
const roundedSize = ({ width, height }: PageSize): PageSize => ({ width: rounded(width), height: rounded(height) })

function addPage(drawn: PDFDocument, { width, height }: PageSize, image: PageImage): void {
  const { context } = drawn
  const { node } = drawn.addPage([width, height])
  const color =
    typeof image.color === 'string'
      ? PDFName.of(image.color)
      : context.obj(['Indexed', 'DeviceRGB', 255, context.register(context.stream(image.color.palette))])
  const dict = context.obj({
    Type: 'XObject',
    Subtype: 'Image',
    Width: image.width,
    Height: image.height,
    ColorSpace: color,
    BitsPerComponent: image.bits,
    Filter: image.filter,
    Length: image.data.length,
  })
  const picture = context.register(PDFRawStream.of(dict, image.data))
  node.set(PDFName.of('Resources'), context.obj({ XObject: { Page: picture } }))
  node.set(PDFName.of('Contents'), context.register(context.stream(`q ${width} 0 0 ${height} 0 0 cm /Page Do Q`)))
}
