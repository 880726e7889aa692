import { expect } from 'chai'
import { tallyMutants } from '../../support/mutants/tally.ts'
import { installed } from '../../support/seen/external-checks.ts'

/** Three of each kind. */
const COUNT = 63

describe('mutants of orders', () => {
  const painters = installed.pdftoppm ? 'pdf.js, PDFium and poppler' : 'pdf.js and PDFium'

  it(`are refused, or sealed as shown (${COUNT} of them, drawn by ${painters})`, async function () {
    this.timeout(120_000)
    const { counts, drawn, wrong } = await tallyMutants(1, COUNT)
    expect(wrong).to.deep.equal([])
    const sum = (outcome: 'sealed as shown') =>
      Object.values(counts).reduce((total, kind) => total + (kind[outcome] ?? 0), 0)
    // A generator whose mutants are all refused, or all plain, would show nothing.
    expect(drawn).to.be.greaterThan(COUNT / 3)
    expect(sum('sealed as shown') - drawn).to.be.greaterThan(COUNT / 12)
  })
})
