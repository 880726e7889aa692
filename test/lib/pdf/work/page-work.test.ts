import { expect } from 'chai'
import { PDFDocument } from 'pdf-lib'
import { defaultLimits } from '../../../../lib/pdf/guard/limits.ts'
import { pageWorkProblem } from '../../../../lib/pdf/work/page-work.ts'
import { fixture, fixtureNames } from '../../../support/fixtures.ts'
import { aDocument } from '../../../support/pdf/a-pdf.ts'
import { countedPages } from '../../../support/pdf/costly-pages.ts'

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
      'has pictures of more than 800 million pixels in all; print it to PDF again',
    )
  })

  it('names the page', async () => {
    const doc = await aDocument({}, { size: [5, 5] })
    expect(pageWorkProblem(doc, defaultLimits)).to.match(/^page 2 is not between/)
  })
})
