/** Two Node-REDs on one journal in PostgreSQL, one of which is killed after every few records. */
import { eventually } from '../support/eventually.ts'
import { twoProcesses } from '../support/node-red/under-fire/two-processes.ts'
import { patience } from '../support/patience.ts'

const DOCUMENTS = 24
const KILLS = 3

describe('two Node-REDs on one PostgreSQL journal', () => {
  it('make one task and one record of each document, whichever is killed', async function () {
    this.timeout(300_000)
    let kills = 0
    await twoProcesses({
      documents: DOCUMENTS,
      async nextKill(recorded) {
        kills += 1
        if (kills > KILLS) return false
        const after = Math.floor((DOCUMENTS / (KILLS + 1)) * (kills - 1)) + 1
        await eventually(() => {
          if (recorded() < after) throw new Error(`${recorded()} of ${after} are recorded.`)
        }, patience(120_000))
        return true
      },
      withinMs: patience(240_000),
    })
  })
})
