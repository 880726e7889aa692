import { expect } from 'chai'
import { mappedOrHeld } from '../../support/hl7/mapped-or-held.ts'

describe('Generated orders', () => {
  it('are mapped to the patient and the signer that they name, or held', () => {
    const { mapped, held } = mappedOrHeld(500, 18)
    expect(mapped).to.be.greaterThan(20)
    expect(held).to.be.greaterThan(20)
  })
})
