/** `npm run test:long`: what many waiting messages carry along. */
import { carriedAlong, type Interruption } from '../../support/node-red/under-fire/carried-along.ts'

const INTERRUPTIONS: Interruption[] = ['a full deploy', 'a kill', 'a full deploy and a kill']

describe('100 waiting messages with 2 kB each', () => {
  for (const interruption of INTERRUPTIONS)
    it(`come back whole after ${interruption}`, () => carriedAlong(100, [interruption]))
})
