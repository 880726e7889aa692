import { expect } from 'chai'
import { PDFDocument, PDFName } from 'pdf-lib'
import { BAR, embedBarFont } from '../../../lib/pdf/fonts/bar-font.ts'
import { letterOutlines } from '../../../lib/pdf/fonts/letter-outlines.ts'
import { withContent } from '../../../lib/pdf/text/content-reader.ts'
import { withPictures } from '../../../server/pdf/compare/pictures.ts'

async function aBar(): Promise<Uint8Array> {
  const doc = await PDFDocument.create()
  const page = doc.addPage([100, 100])
  page.node.set(PDFName.of('Resources'), doc.context.obj({ Font: { Bar: embedBarFont(doc.context) } }))
  const content = `BT /Bar 40 Tf 1 0 0 1 20 30 Tm (${BAR}${BAR}) Tj ET`
  page.node.set(PDFName.of('Contents'), doc.context.register(doc.context.stream(content)))
  return doc.save()
}

describe('the font of the bar', () => {
  it('has an outline and a width for the reader of the pages', async () => {
    const outlines = await withContent(await aBar(), async (doc) => letterOutlines(await doc.getPage(1)), {
      withOutlines: true,
    })
    expect(outlines!.map(({ x, y, size }) => [x, y, size])).to.deep.equal([
      [20, 30, 40],
      [44, 30, 40],
    ])
    const corners = [0.274, -0.25, 0.325, -0.25, 0.325, 0.75, 0.274, 0.75]
    const points = Array.from(outlines![0]!.commands).filter((_, i) => i % 3 > 0 && i < 12)
    for (const [i, value] of corners.entries()) expect(points[i]).to.be.closeTo(value, 1e-3)
  })

  it('is drawn by the viewer where that has it', async () => {
    await withPictures([await aBar()], async ([pictures]) => {
      const { data, width } = await pictures!.grayOfPage(1)
      const dark = [...data.keys()].filter((at) => data[at]! < 128)
      const [columns, rows] = [dark.map((at) => at % width), dark.map((at) => Math.floor(at / width))]
      expect([Math.min(...rows), Math.max(...rows)]).to.deep.equal([40, 79])
      expect([...new Set(columns)].sort()).to.deep.equal([31, 32, 55, 56])
    })
  })
})
