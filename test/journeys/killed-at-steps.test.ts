/** Node-RED killed three times; `npm run test:long` kills it 50 times. */
import { killedAtSteps } from '../support/node-red/killed-at-steps.ts'

describe('Node-RED killed with a document on its way to the service, on its way back, and in the flow', function () {
  this.timeout(240_000)

  it('loses no document and records none twice', () =>
    killedAtSteps({ count: 3, seed: 16, steps: ['after create', 'created', 'before record'] }))
})
