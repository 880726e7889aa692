/** Two processes that share a journal in PostgreSQL: of the overdue nodes in both, one sends each reminder. */
import { expect } from 'chai'
import type { SharedDatabase } from '../../nodes/shared/database/shared-database.ts'
import { overdueJournal } from '../../nodes/shared/overdue/overdue-journal.ts'
import { createJournals } from '../../nodes/shared/service/journals.ts'
import { eventually } from '../support/eventually.ts'
import { query } from '../support/store/postgres/a-postgres.ts'
import { sharedProcesses } from '../support/store/postgres/shared-processes.ts'

const BEAT_MS = 100
const REPEAT_MS = Number.POSITIVE_INFINITY

describe('the reminders of two processes that share a journal', function () {
  this.timeout(60_000)
  const shared = sharedProcesses(BEAT_MS)
  const three = { kind: 'age', threshold: 3 } as const

  const journalOf = (database: SharedDatabase) => {
    const journals = createJournals({ database }, 'service')
    shared.ending.push(() => journals.close())
    return overdueJournal({ journal: journals.open, shared: database }, 'overdue', REPEAT_MS)
  }

  it('are sent by one of them, and by the other one when the first has ended before the flow had them', async () => {
    const [one, two] = [await shared.aProcess('one'), await shared.aProcess('two')]
    const [ofOne, ofTwo] = [await journalOf(one), await journalOf(two)]
    const tasks = Array.from({ length: 20 }, (_, index) => 1001 + index)
    const claims = await Promise.all(
      tasks.flatMap((taskId) => [ofOne, ofTwo].map((journal) => journal.claim(taskId, three))),
    )
    expect(claims.filter(Boolean)).to.deep.equal(tasks.map(() => ({ sentBefore: 0 })))
    await ofOne.claim(2001, three)
    await ofOne.emitted(2001, three)
    await ofOne.claim(2002, three)
    expect(await ofTwo.claim(2002, three)).to.equal(undefined)
    await one.close()
    await query(shared.url, `UPDATE countersign_run SET until = now() - interval '1 second' WHERE run = '${one.run}'`)
    await eventually(async () => expect(await ofTwo.claim(2002, three)).to.deep.equal({ sentBefore: 1 }))
    expect(await ofTwo.claim(2001, three), 'emitted by the first').to.equal(undefined)
  })
})
