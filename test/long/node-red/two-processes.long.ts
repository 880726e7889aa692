/** `npm run test:long`: two Node-REDs on one PostgreSQL journal, one of which is killed every 20 seconds. */
import { setTimeout as pause } from 'node:timers/promises'
import { twoProcesses } from '../../support/node-red/under-fire/two-processes.ts'

/** `DOCUMENTS=…` makes fewer of them. */
const DOCUMENTS = Number(process.env.DOCUMENTS ?? 500)
const EVERY_MS = 20_000

describe(`${DOCUMENTS} documents at two Node-REDs on one journal`, () => {
  it('become one task and one record each, although one is killed every 20 seconds', () =>
    twoProcesses({
      documents: DOCUMENTS,
      async nextKill(recorded) {
        await pause(EVERY_MS)
        return recorded() < DOCUMENTS
      },
      withinMs: 3_000_000,
    }))
})
