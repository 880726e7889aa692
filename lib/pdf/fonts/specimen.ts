/** A document that shows each code that another one uses of its fonts, alone and large, so that viewers can be compared by it. */
import { PDFDocument, PDFHexString, PDFName, type PDFObject, PDFObjectCopier, type PDFRef } from 'pdf-lib'
import { BAR, embedBarFont } from './bar-font.ts'
import type { FontUse } from './font-use.ts'

/** A font, and the codes that viewers might draw differently. */
export interface DoubtfulFont extends Pick<FontUse, 'font'> {
  codes: readonly string[]
}

/** In points: the size of the letters, and the cell of each. */
const EM = 40
const CELL = { width: 2 * EM, height: 1.5 * EM }
const COLUMNS = 16
const ROWS = 32

/**
 * Returns a PDF whose second half shows the same as its first. In the first half the bar has a font of its own, which is quickly
 * read. In the second it has a font that is not in the file: a viewer that cannot read one of the others then has something to put in
 * its place, which shows, where it might otherwise draw nothing.
 * @param from the document whose fonts they are.
 */
export async function writeSpecimen(doubtful: readonly DoubtfulFont[], from: PDFDocument): Promise<Uint8Array> {
  const specimen = await PDFDocument.create({ updateMetadata: false })
  const { context } = specimen
  const copier = PDFObjectCopier.for(from.context, context)
  const fonts: Record<string, PDFObject> = {}
  const cells: ((x: number, y: number) => string)[] = []
  for (const [index, { font, codes }] of doubtful.entries()) {
    fonts[`F${index}`] = context.register(copier.copy(font))
    for (const code of codes) {
      // A whole text has no more letters than bytes, and is scaled to fit.
      const size = code.length <= 2 ? EM : EM / code.length
      const shown = `${PDFHexString.of(Buffer.from(code, 'latin1').toString('hex'))} Tj`
      // The bar behind it shows how wide it is, even where nothing is drawn.
      cells.push((x, y) => `/F${index} ${size} Tf 1 0 0 1 ${x} ${y} Tm ${shown} /Bar ${EM} Tf (${BAR}) Tj`)
    }
  }
  const pages: { height: number; contents: PDFRef }[] = []
  for (let first = 0; first < cells.length; first += COLUMNS * ROWS) {
    const shown = cells.slice(first, first + COLUMNS * ROWS)
    const height = CELL.height * Math.ceil(shown.length / COLUMNS)
    const placed = shown.map((cell, i) => {
      const left = (i % COLUMNS) * CELL.width
      const bottom = height - (Math.floor(i / COLUMNS) + 1) * CELL.height
      return cell(left + EM / 4, bottom + EM / 2)
    })
    pages.push({ height, contents: context.register(context.stream(`BT ${placed.join('\n')} ET`)) })
  }
  for (const Bar of [embedBarFont(context), context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Courier' })]) {
    const resources = context.obj({ Font: context.obj({ ...fonts, Bar }) })
    for (const { height, contents } of pages) {
      const page = specimen.addPage([CELL.width * COLUMNS, height])
      page.node.set(PDFName.of('Resources'), resources)
      page.node.set(PDFName.of('Contents'), contents)
    }
  }
  return specimen.save({ useObjectStreams: false, addDefaultPage: false, updateFieldAppearances: false })
}
