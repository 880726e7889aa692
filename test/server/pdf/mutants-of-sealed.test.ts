import { expect } from 'chai'
import { judgedMutants } from '../../support/sealed/judged.ts'
import { mutations } from '../../support/sealed/mutants-of-sealed.ts'

const COUNT = 150

describe('a sealed document in the hands of others', () => {
  it(`is never valid after any of ${COUNT} changes`, async function () {
    this.timeout(120_000)
    const { missed, kinds, outcomes } = await judgedMutants(1, COUNT)
    expect(missed).to.deep.equal([])
    expect(kinds).to.equal(Object.keys(mutations).length)
    this.test!.title += ` of ${kinds} kinds: ${JSON.stringify(outcomes)}`
  })
})
