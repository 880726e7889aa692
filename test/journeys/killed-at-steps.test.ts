/** Three kills; `npm run test:long` makes 50. */
import { killedAtSteps } from '../support/node-red/under-fire/killed-at-steps.ts'

describe('Node-RED, its service or both killed with a document on its way to the service, on its way back, or in the flow', function () {
  this.timeout(240_000)

  it('lose no document and record none twice', () =>
    killedAtSteps(
      [
        { step: 'after create', killed: 'both' },
        { step: 'created', killed: 'Node-RED' },
        { step: 'before record', killed: 'the service' },
      ],
      16,
    ))
})
