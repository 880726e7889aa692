import { expect } from 'chai'
import { hostileRun } from '../../support/hl7/hostile-run.ts'

describe('Hostile messages in HL7 v2', function () {
  this.timeout(120_000)

  it('are mapped, held with a reason, or refused, whatever their delimiters, depth, length, bytes and escapes', async () => {
    const sizes = Array.from({ length: 300 }, (_, index) => (index % 30 === 0 ? 600_000 : 10 ** (1 + (index % 4))))
    const { counts } = await hostileRun(485, sizes)
    expect(counts.mapped).to.be.greaterThan(0)
    expect(counts.held).to.be.greaterThan(0)
    expect(counts.refused).to.be.greaterThan(0)
  })
})
