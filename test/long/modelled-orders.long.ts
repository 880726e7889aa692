/** `npm run test:long`: messages that are written from models, and what becomes of them. */
import { expect } from 'chai'
import { mappedAsModelled } from '../support/hl7/modelled-orders.ts'

/** `SEED=…` repeats a run. */
const seed = Number(process.env.SEED ?? 36)

describe('20,000 modelled messages', () => {
  it('are mapped field by field to what the model says, or held', () => {
    const { tally, reasons } = mappedAsModelled(20_000, seed)
    console.log(`      SEED=${seed} ${JSON.stringify({ tally, reasons })}`)
    expect(tally.create).to.be.greaterThan(5000)
  })
})
