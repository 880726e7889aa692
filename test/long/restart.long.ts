/** `npm run test:long`: Node-RED killed with much under way. */
import { killedUnderWay } from '../support/node-red/under-fire/killed-under-way.ts'

describe('Node-RED killed with 100 waits and 20 creates under way', () => {
  it('loses no task and makes none twice', () => killedUnderWay({ waits: 100, creates: 20 }))
})
