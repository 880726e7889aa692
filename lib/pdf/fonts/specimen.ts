/** A document that shows each code that another one uses of its fonts, alone and large, so that viewers can be compared by it. */
import { PDFDocument, PDFHexString, PDFName, type PDFObject, PDFObjectCopier } from 'pdf-lib'
import { doubtfulCodes } from './doubtful-codes.ts'
import type { FontUse } from './font-use.ts'

/** In points: the size of the letters, and the cell of each. */
const EM = 40
const CELL = { width: 2 * EM, height: 1.5 * EM }
const COLUMNS = 16
const ROWS = 32

/**
 * Null when no code is in doubt.
 * @param from what the fonts are in. Each code stands there twice, so that its width shows as well.
 */
export async function writeSpecimen(uses: readonly FontUse[], from: PDFDocument): Promise<Uint8Array | null> {
  const doubtful = uses.map((use) => ({ ...use, codes: doubtfulCodes(use) })).filter(({ codes }) => codes.length > 0)
  if (doubtful.length === 0) return null
  const specimen = await PDFDocument.create({ updateMetadata: false })
  const { context } = specimen
  const copier = PDFObjectCopier.for(from.context, context)
  const fonts: Record<string, PDFObject> = {}
  const cells: string[] = []
  for (const [index, { object, codes }] of doubtful.entries()) {
    fonts[`F${index}`] = copier.copy(object)
    for (const code of codes) {
      const shown = `${PDFHexString.of(Buffer.from(code, 'latin1').toString('hex'))} Tj`
      // A whole text has no more letters than bytes, and is scaled to fit.
      const size = code.length <= 2 ? EM : CELL.width / code.length
      cells.push(`/F${index} ${size} Tf 1 0 0 1 PLACE Tm ${code.length <= 2 ? `${shown} ${shown}` : shown}`)
    }
  }
  const resources = context.obj({ Font: context.obj(fonts) })
  for (let first = 0; first < cells.length; first += COLUMNS * ROWS) {
    const shown = cells.slice(first, first + COLUMNS * ROWS)
    const height = CELL.height * Math.ceil(shown.length / COLUMNS)
    const page = specimen.addPage([CELL.width * COLUMNS, height])
    const placed = shown.map((cell, i) => {
      const [x, y] = [(i % COLUMNS) * CELL.width, height - (Math.floor(i / COLUMNS) + 1) * CELL.height]
      return cell.replace('PLACE', `${x + EM / 4} ${y + EM / 2}`)
    })
    page.node.set(PDFName.of('Resources'), resources)
    page.node.set(PDFName.of('Contents'), context.register(context.stream(`BT ${placed.join('\n')} ET`)))
  }
  return specimen.save({ useObjectStreams: false, addDefaultPage: false, updateFieldAppearances: false })
}
