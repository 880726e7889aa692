/** `npm run test:long`: Node-RED killed at each of the steps between create and record. */
import { killedAtSteps } from '../support/node-red/killed-at-steps.ts'

describe('50 kills of Node-RED between create and record', () => {
  it('lose no document and record none twice', () => killedAtSteps({ count: 50, seed: 16 }))
})
