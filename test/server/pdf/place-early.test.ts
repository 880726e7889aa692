import { expect } from 'chai'
import type { Annotations, Origin } from '../../../lib/contract/task/annotations.ts'
import { placedBefore } from '../../../lib/pdf/placement/early-placement.ts'
import { placesFromTopLeft } from '../../../lib/pdf/placement/origin.ts'
import { createPdfPool, type PdfPool } from '../../../server/pdf/workers/pool.ts'
import { fixture, fixtureNames } from '../../support/fixtures.ts'
import { base64, orderPdf, PHRASE } from '../../support/pdf/order-pdf.ts'

/** It is prepared: its fields become part of its pages. */
const FORM = 'pdf/forms/reportlab-form.pdf'

const place = { type: 'VisibleSignature', pageNumber: 1, left: 72, top: 600, right: 252, bottom: 636 } as const
const fromBottom = { ...place, top: 636, bottom: 600 }
const ways = {
  tokens: { type: 'SmartAnnotations' },
  texts: { type: 'ReferenceText', data: [{ type: 'CheckBox', referenceText: PHRASE, offsetX: 5, offsetY: 0 }] },
  places: { type: 'Json', data: [place] },
} as const satisfies Record<string, Annotations>

describe('fields that are placed when a document is accepted', () => {
  let pool: PdfPool
  before(() => {
    pool = createPdfPool({ threads: 1 })
  })
  after(() => pool.close())

  async function accept(pdf: Uint8Array, annotations: Annotations, origin: Origin = 'top-left') {
    const inspected = await pool.inspect(base64(pdf), { wanted: { annotations, origin } })
    if (!inspected.ok) throw new Error(inspected.problem)
    return inspected
  }

  for (const name of [...fixtureNames('pdf/orders'), FORM]) {
    for (const [way, annotations] of Object.entries(ways)) {
      it(`stand where ingestion would place them, by ${way}: ${name}`, async () => {
        const { pdf, placedEarly } = await accept(fixture(name), annotations)
        expect(placedEarly).to.deep.equal({ tokens: pool.tokens, outcome: await pool.place(pdf, annotations, []) })
      })
    }
  }

  it('are measured from the origin of the host', async () => {
    const { pdf, pages, placedEarly } = await accept(
      await orderPdf(),
      { type: 'Json', data: [fromBottom] },
      'bottom-left',
    )
    const data = placesFromTopLeft([fromBottom], 'bottom-left', pages)
    expect(placedEarly?.outcome).to.deep.equal(await pool.place(pdf, { type: 'Json', data }, []))
  })

  it('are left to ingestion when they are those of a template, when nobody asks, and beyond 20 pages', async () => {
    expect(await accept(await orderPdf(), { type: 'Template', templateId: 1 })).to.include({ placedEarly: null })
    expect(await pool.inspect(base64(await orderPdf()))).to.include({ placedEarly: null })
    expect((await accept(await orderPdf({ pages: 20 }), ways.tokens)).placedEarly?.outcome.ok).to.equal(true)
    expect(await accept(await orderPdf({ pages: 21 }), ways.tokens)).to.include({ placedEarly: null })
  })

  it('count as long as the host writes its tokens the same', async () => {
    const { placedEarly } = await accept(await orderPdf(), ways.tokens)
    expect(placedBefore(placedEarly, pool.tokens)).to.equal(placedEarly!.outcome)
    expect(placedBefore(placedEarly, ['{ACME-date}'])).to.equal(null)
    expect(placedBefore(null, pool.tokens)).to.equal(null)
  })
})
