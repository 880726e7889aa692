/** `npm run test:long`: Node-RED killed between each pair of the steps from the message over MLLP to the task of its correction. */
import { heldAtAllSteps, roundsOf } from '../../support/node-red/under-fire/held-at-steps.ts'

/** `ROUNDS=…` makes fewer of them. */
const ROUNDS = Number(process.env.ROUNDS ?? 40)
const SEED = 18

describe(`${ROUNDS} held messages that are corrected and resent over kills`, () => {
  it('become one task each', () => heldAtAllSteps(roundsOf(ROUNDS, SEED), SEED))
})
