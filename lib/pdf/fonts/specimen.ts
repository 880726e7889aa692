/** A document that shows each code that another one uses of its fonts, alone and large, so that viewers can be compared by it. */
import { PDFDocument, PDFHexString, PDFName, type PDFObject, PDFObjectCopier } from 'pdf-lib'
import type { FontUse } from './font-use.ts'

/** A font, and the codes that viewers might draw differently. */
export interface DoubtfulFont extends Pick<FontUse, 'object'> {
  codes: readonly string[]
}

/** In points: the size of the letters, and the cell of each. */
const EM = 40
const CELL = { width: 2 * EM, height: 1.5 * EM }
const COLUMNS = 16
const ROWS = 32

/** Returns a PDF. @param from the document whose fonts they are. */
export async function writeSpecimen(doubtful: readonly DoubtfulFont[], from: PDFDocument): Promise<Uint8Array> {
  const specimen = await PDFDocument.create({ updateMetadata: false })
  const { context } = specimen
  const copier = PDFObjectCopier.for(from.context, context)
  const fonts: Record<string, PDFObject> = { Bar: context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Courier' }) }
  const cells: ((x: number, y: number) => string)[] = []
  for (const [index, { object, codes }] of doubtful.entries()) {
    fonts[`F${index}`] = copier.copy(object)
    for (const code of codes) {
      // A whole text has no more letters than bytes, and is scaled to fit.
      const size = code.length <= 2 ? EM : EM / code.length
      const shown = `${PDFHexString.of(Buffer.from(code, 'latin1').toString('hex'))} Tj`
      // The bar behind it shows how wide it is, even where nothing is drawn.
      cells.push((x, y) => `/F${index} ${size} Tf 1 0 0 1 ${x} ${y} Tm ${shown} /Bar ${EM} Tf (|) Tj`)
    }
  }
  const resources = context.obj({ Font: context.obj(fonts) })
  for (let first = 0; first < cells.length; first += COLUMNS * ROWS) {
    const shown = cells.slice(first, first + COLUMNS * ROWS)
    const height = CELL.height * Math.ceil(shown.length / COLUMNS)
    const page = specimen.addPage([CELL.width * COLUMNS, height])
    const placed = shown.map((cell, i) => {
      const left = (i % COLUMNS) * CELL.width
      const bottom = height - (Math.floor(i / COLUMNS) + 1) * CELL.height
      return cell(left + EM / 4, bottom + EM / 2)
    })
    page.node.set(PDFName.of('Resources'), resources)
    page.node.set(PDFName.of('Contents'), context.register(context.stream(`BT ${placed.join('\n')} ET`)))
  }
  return specimen.save({ useObjectStreams: false, addDefaultPage: false, updateFieldAppearances: false })
}
