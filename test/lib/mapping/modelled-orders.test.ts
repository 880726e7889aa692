import { expect } from 'chai'
import { mappedAsModelled } from '../../support/hl7/modelled-orders.ts'

describe('Modelled messages in HL7 v2', () => {
  it('are mapped field by field to what the model says, or held', () => {
    const { tally } = mappedAsModelled(300, 36)
    for (const verdict of ['create', 'replace', 'retract', 'held'] as const) expect(tally[verdict]).to.be.greaterThan(5)
    expect(tally.heldThoughRight).to.be.lessThan(tally.create / 10)
  })
})
