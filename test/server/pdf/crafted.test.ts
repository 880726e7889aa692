/** Orders that were crafted so that viewers show different doses: what their signer sees is what every viewer shows of the sealed file. */
import { expect } from 'chai'
import { createPdfPool, type PdfPool } from '../../../server/pdf/workers/pool.ts'
import { craftedOrders, craftedPdf } from '../../support/crafted/crafted-orders.ts'
import { judge } from '../../support/mutants/judge.ts'
import { installed, installedViewers } from '../../support/seen/external-checks.ts'
import { createPainters, type Painters } from '../../support/seen/pictures.ts'

const names = Object.keys(craftedOrders)

describe('a crafted order', () => {
  let pool: PdfPool
  let painters: Painters
  before(() => {
    pool = createPdfPool({ threads: 1 })
    painters = createPainters(installed.pdftoppm, installedViewers)
  })
  after(async () => {
    await pool.close()
    await painters.close()
  })

  it('is of every kind that viewers were seen to take differently', () => {
    expect(names.length).to.be.at.least(60)
    const kinds = new Set(names.map((name) => name.split(':')[0]))
    for (const kind of 'names numbers frames pages colors mixing shadings depth pictures letters fonts state lines areas content'.split(
      ' ',
    ))
      expect(kinds).to.include(kind)
  })

  for (const name of names)
    it(`looks alike everywhere once it is sealed: ${name}`, async function () {
      this.timeout(60_000)
      const pdf = craftedPdf(name)
      const plain = await pool.inspect(pdf.toString('base64'), { documents: 'refuse' })
      expect(plain.ok ? 'plain' : plain.problem).to.match(/print it to PDF again$/)
      const { outcome, detail } = await judge(pdf, pool, painters)
      expect(outcome, detail).to.be.oneOf(['sealed as shown', 'refused'])
      if (outcome === 'refused')
        expect(detail, detail).to.match(/^page 1 |^has \d|^damaged: it cannot be opened or drawn/)
    })
})
