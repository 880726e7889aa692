import { expect } from 'chai'
import { defaultLimits } from '../../../lib/pdf/guard/limits.ts'
import { createPdfPool, type PdfPool } from '../../../server/pdf/workers/pool.ts'
import { aField, SIGNED_AT } from '../../support/pdf/a-completion.ts'
import { aPdf } from '../../support/pdf/a-pdf.ts'
import { inspectedAsShown } from '../../support/pdf/as-shown.ts'
import { countedPages, unsignablePages } from '../../support/pdf/costly-pages.ts'

describe('the rehearsal of a signature', () => {
  let pool: PdfPool
  before(() => {
    pool = createPdfPool()
  })
  after(() => pool.close())

  const rehearse = (pdf: Uint8Array, fields = [aField()]) =>
    pool.rehearse(pdf, { fields, signature: 'inFields', at: SIGNED_AT })

  /** As ingestion gets it; null where it is refused. */
  async function accepted(pdf: Uint8Array): Promise<Uint8Array | null> {
    const inspected = await inspectedAsShown(pool, pdf)
    return inspected.ok ? inspected.pdf : null
  }

  it('passes an order with fields of all kinds, in boxes of any size', async () => {
    const small = { left: 300, top: 300, right: 303, bottom: 303 }
    const fields = (['VisibleSignature', 'DateSigned', 'TextArea', 'CheckBox'] as const).flatMap((type) => [
      aField({ type, required: true }),
      aField({ type, required: true, box: small }),
    ])
    expect(await rehearse(await aPdf({}), fields)).to.deep.equal({ ok: true })
  })

  it('hands out no document that seems to be sealed', async () => {
    expect(Object.keys(await rehearse(await aPdf({})))).to.deep.equal(['ok'])
  })

  for (const [what, [make, problem]] of Object.entries(countedPages))
    it(`says why a document cannot be signed: ${what}`, async () => {
      expect(await rehearse(make())).to.deep.equal({
        ok: false,
        problem: `document.attachment: page 1 ${problem}; print it to PDF again.`,
      })
    })

  for (const [what, [make, problem]] of Object.entries(unsignablePages))
    it(`says why a document on record cannot be signed, and signs its pictures: ${what}`, async function () {
      this.timeout(120_000)
      const rehearsed = await rehearse(make())
      if (rehearsed.ok) expect.fail('it can be signed')
      expect(rehearsed.problem).to.match(/^document\.attachment: .*\.$/)
      expect(rehearsed.problem.slice('document.attachment: '.length, -1)).to.match(problem)
      const pictures = await accepted(make())
      if (pictures) expect(await rehearse(pictures)).to.deep.equal({ ok: true })
    })

  it('may take less than signing may', () => {
    const { rehearseTimeoutMs, rehearsePageTimeoutMs, maxGrowthToRehearseBytes } = defaultLimits
    expect(rehearseTimeoutMs).to.be.at.most(defaultLimits.completeTimeoutMs / 2)
    expect(rehearsePageTimeoutMs).to.be.at.most(defaultLimits.pageTimeoutMs / 2)
    expect(maxGrowthToRehearseBytes).to.be.lessThan(defaultLimits.maxGrowthToCompleteBytes)
  })

  it('ends when it takes longer', async function () {
    this.timeout(60_000)
    const tight = createPdfPool({ limits: { rehearseTimeoutMs: 0 } })
    try {
      const rehearsed = await tight.rehearse(await aPdf(...Array.from({ length: 40 }, () => ({}))), {
        fields: [aField()],
        signature: 'inFields',
        at: SIGNED_AT,
      })
      expect(rehearsed).to.deep.equal({
        ok: false,
        problem: 'document.attachment: takes more than 0 s to read; print it to PDF again.',
      })
    } finally {
      await tight.close()
    }
  })
})
