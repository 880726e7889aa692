/** The whole run of what test/server/pdf/mutants-of-sealed.test.ts takes a sample of. */
import { expect } from 'chai'
import { judgedMutants } from '../support/sealed/judged.ts'

const COUNT = 5000

describe('a sealed document in the hands of others', () => {
  it(`is never valid after any of ${COUNT} changes`, async function () {
    const { missed, kinds, outcomes } = await judgedMutants(2, COUNT)
    expect(missed).to.deep.equal([])
    this.test!.title += ` of ${kinds} kinds: ${JSON.stringify(outcomes)}`
  })
})
