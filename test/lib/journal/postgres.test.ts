/** The journal in a real PostgreSQL: the contract of journals, several processes, lost connections. */
import { inspect } from 'node:util'
import { expect } from 'chai'
import pg from 'pg'
import type { Journal } from '../../../lib/journal/journal.ts'
import { openJournal } from '../../../lib/journal/open.ts'
import { ran } from '../../support/processes.ts'
import { realTimePasses } from '../../support/real-time.ts'
import { aPostgres, POSTGRES_PASSWORD, type TestPostgres } from '../../support/store/postgres/a-postgres.ts'
import { emptyJournal } from '../support/empty-journal.ts'
import { keepsTheJournalContract } from './journal-contract.ts'

describe('a journal in PostgreSQL', function () {
  this.timeout(60_000)
  const opened: Journal[] = []
  let postgres: TestPostgres | undefined
  let url: string

  before(async () => {
    postgres = await aPostgres()
    url = postgres.url
  })
  afterEach(async () => {
    for (const journal of opened) await emptyJournal(journal)
    for (const journal of opened.splice(0)) await journal.close()
  })
  after(() => postgres?.stop())

  const open = async (namespace: string) => {
    const journal = await openJournal(url, namespace)
    opened.push(journal)
    return journal
  }

  keepsTheJournalContract(open)

  it('lets exactly one of several processes have each key, and loses no count', async () => {
    const journal = await open('race')
    const run = () => ran(['test/lib/journal/compete.ts', url, '100'])
    const won = (await Promise.all([run(), run(), run()])).map(({ stdout }) => Number(stdout))
    expect(won[0]! + won[1]! + won[2]!).to.equal(100)
    expect(await journal.get('sum')).to.equal(300)
  })

  it('survives the loss of its connections', async () => {
    const [journal, other] = [await open('a'), await openJournal(url, 'b')]
    await journal.set('key', 'kept')
    const pool = new pg.Pool({ connectionString: url })
    await pool.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()')
    await pool.end()
    // Until the ends of the connections are noticed on this side.
    await realTimePasses(100)
    expect(await journal.get('key')).to.equal('kept')
    await other.close()
    expect(await journal.get('key'), 'journals are closed one by one').to.equal('kept')
  })

  it('does not repeat the password when it cannot be opened', async () => {
    const wrong = url.replace(POSTGRES_PASSWORD, 'canary')
    const failure: Error = await openJournal(wrong, 'a').then(
      () => expect.fail('opened'),
      (thrown) => thrown,
    )
    expect(inspect(failure, { depth: 10 })).not.to.contain('canary')
  })
})
