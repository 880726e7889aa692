/** What waiting messages carry along, with fewer messages than `npm run test:long` has. */
import { carriedAlong, type Interruption } from '../support/node-red/under-fire/carried-along.ts'

const INTERRUPTIONS: Interruption[] = ['a full deploy', 'a kill', 'a full deploy and a kill']

const COUNT = 8

describe(`${COUNT} waiting messages with 2 kB each`, function () {
  this.timeout(120_000)

  for (const interruption of INTERRUPTIONS)
    it(`come back whole after ${interruption}`, () => carriedAlong(COUNT, interruption))
})
