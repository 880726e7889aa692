/** Node-RED killed with a part of what `npm run test:long` has under way. */
import { killedUnderWay } from '../support/node-red/under-fire/killed-under-way.ts'

describe('Node-RED killed with 10 waits and 20 creates under way', function () {
  this.timeout(120_000)

  it('loses no task and makes none twice', () => killedUnderWay({ waits: 10, creates: 20 }))
})
