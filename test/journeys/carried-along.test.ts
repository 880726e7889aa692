/** What waiting messages carry along, with fewer messages than `npm run test:long` has. */
import { carriedAlong } from '../support/node-red/under-fire/carried-along.ts'

const COUNT = 5

describe(`${COUNT} waiting messages with 2 kB each`, function () {
  this.timeout(240_000)

  it('come back whole after a full deploy, after a kill, and after both', () =>
    carriedAlong(COUNT, ['a full deploy', 'a kill', 'a full deploy and a kill']))
})
