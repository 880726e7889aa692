/** A few of the random documents of `test/long/crafted-orders.long.ts`: what their signer saw is what every viewer shows of the sealed file. */
import { expect } from 'chai'
import { compared } from '../../support/crafted/compared.ts'
import { outsideDocument } from '../../support/crafted/outside-documents.ts'
import { plainDocument } from '../../support/crafted/plain-documents.ts'

describe('what every viewer shows of a sealed document', () => {
  it('is what its signer saw, within the grammar', async function () {
    this.timeout(240_000)
    const range = { seed: 37, from: 0, count: 10 }
    const { counts, wrong } = await compared(range, async (random) => ({ name: '', pdf: await plainDocument(random) }))
    expect(wrong).to.deep.equal([])
    expect(counts).to.deep.equal({ plain: 10, drawn: 0, refused: 0 })
  })

  it('is what its signer saw, outside of the grammar', async function () {
    this.timeout(240_000)
    const range = { seed: 37, from: 0, count: 10 }
    const { counts, wrong } = await compared(range, async (random, number) => outsideDocument(random, 8 * number))
    expect(wrong).to.deep.equal([])
    expect(counts.drawn).to.be.greaterThan(5)
  })
})
