import { expect } from 'chai'
import { PDFDocument } from 'pdf-lib'
import { defaultLimits } from '../../../../lib/pdf/guard/limits.ts'
import { pageWorkProblem } from '../../../../lib/pdf/work/page-work.ts'
import { fixture, fixtureNames } from '../../../support/fixtures.ts'
import { aDocument } from '../../../support/pdf/a-pdf.ts'
import { countedPages } from '../../../support/pdf/costly-pages.ts'
import { order, stream, writtenPdf } from '../../../support/pdf/written-pdf.ts'

const load = (pdf: Uint8Array) => PDFDocument.load(pdf, { updateMetadata: false })

describe('the work of drawing a page', () => {
  for (const [what, [make, problem]] of Object.entries(countedPages))
    it(`is counted without drawing: ${what}`, async () => {
      expect(pageWorkProblem(await load(make()), defaultLimits)).to.equal(`page 1 ${problem}; print it to PDF again`)
    })

  it('is far below the limits in the documents of every producer', async () => {
    const tenth = {
      ...defaultLimits,
      maxPageWork: defaultLimits.maxPageWork / 10,
      maxPagePixels: defaultLimits.maxPagePixels / 10,
      maxTiles: defaultLimits.maxTiles / 10,
      maxDrawingDepth: 5,
    }
    for (const name of [...fixtureNames('pdf/orders'), ...fixtureNames('pdf/producers')]) {
      expect(pageWorkProblem(await load(fixture(name)), tenth), name).to.equal(null)
    }
  })

  it('counts the pictures of all pages together', async () => {
    const [make] = countedPages['a picture of 900 million pixels']!
    const limits = { ...defaultLimits, maxPagePixels: 1e9, maxDocumentPixels: 8e8 }
    expect(pageWorkProblem(await load(make()), limits)).to.equal(
      'has pictures or shadings of more than 800 million pixels in all; print it to PDF again',
    )
  })

  it('counts what a shading computes for each pixel', async () => {
    const shading = fixture('pdf/hostile/shading_fn.pdf')
    expect(pageWorkProblem(await load(shading), defaultLimits, true)).to.equal(
      'page 1 has pictures or shadings of more than 250 million pixels in all; print it to PDF again',
    )
    const wheel = writtenPdf({
      ...order(),
      3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R /Resources << /Shading << /S 6 0 R >> >> >>',
      5: stream('/S sh '.repeat(20)),
      6: '<< /ShadingType 1 /ColorSpace /DeviceRGB /Function 7 0 R >>',
      7: stream(
        `{ ${'dup mul sqrt '.repeat(20)} pop dup dup }`,
        '/FunctionType 4 /Domain [0 1 0 1] /Range [0 1 0 1 0 1]',
      ),
    }).pdf
    expect(pageWorkProblem(await load(wheel), defaultLimits, true)).to.equal(null)
  })

  it('names the page', async () => {
    const doc = await aDocument({}, { size: [0.5, 5] })
    expect(pageWorkProblem(doc, defaultLimits)).to.match(/^page 2 is not between/)
  })
})
