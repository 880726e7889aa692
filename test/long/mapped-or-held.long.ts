/** `npm run test:long`: orders with anything in any of their fields. */
import { mappedOrHeld } from '../support/hl7/mapped-or-held.ts'

/** `SEED=…` repeats a run. */
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)

describe('10,000 generated orders', () => {
  it('are mapped to the patient and the signer that they name, or held', () => {
    console.log(`      SEED=${seed} ${JSON.stringify(mappedOrHeld(10_000, seed))}`)
  })
})
