import { expect } from 'chai'
import { tallyMutants } from '../../support/mutants/tally.ts'
import { installed } from '../../support/seen/external-checks.ts'

/** Three of each kind. */
const COUNT = 63

describe('mutants of orders', () => {
  const painters = installed.pdftoppm ? 'pdf.js, PDFium and poppler' : 'pdf.js and PDFium'

  it(`are refused, or sealed as shown (${COUNT} of them, drawn by ${painters})`, async function () {
    this.timeout(120_000)
    const { counts, wrong } = await tallyMutants(1, COUNT)
    expect(wrong).to.deep.equal([])
    const sum = (outcome: 'refused' | 'sealed as shown') =>
      Object.values(counts).reduce((total, kind) => total + (kind[outcome] ?? 0), 0)
    // A generator whose mutants are all refused, or all the same as before, would show nothing.
    expect(sum('refused')).to.be.greaterThan(COUNT / 3)
    expect(sum('sealed as shown')).to.be.greaterThan(COUNT / 12)
  })
})
