/** `npm run test:long`: Node-RED, the service and both killed at each of the steps between create and record. */
import { killedAtSteps, roundsOf } from '../../support/node-red/under-fire/killed-at-steps.ts'

/** `ROUNDS=…` makes fewer of them. */
const ROUNDS = Number(process.env.ROUNDS ?? 50)
const SEED = 16

describe(`${ROUNDS} kills between create and record`, () => {
  it('lose no document and record none twice', () => killedAtSteps(roundsOf(ROUNDS, SEED), SEED))
})
