/** The store in a real PostgreSQL: a database as new for each test. */
import { expect } from 'chai'
import { openStore } from '../../../server/store/store.ts'
import { aPostgres, type TestPostgres } from '../../support/store/postgres/a-postgres.ts'
import { emptyDatabase, type KeptDatabase, migratedDatabase } from '../../support/store/postgres/kept-database.ts'
import { keptDatabases } from '../../support/store/postgres/kept-databases.ts'
import { keepsItsAuditLog } from './contract/audit-contract.ts'
import { keepsTheStoreContract } from './contract/store-contract.ts'
import { staysRightUnderConcurrency } from './contract/store-under-concurrency.ts'
import { knowsWhatItIs } from './keepsakes/what-a-store-is.ts'
import { refusesImpossibleValues } from './rows/impossible-values.ts'
import { refusesChangedRows } from './rows/refused-rows.ts'
import { refusesChangedTasks } from './rows/refused-tasks.ts'
import type { Place } from './stores-in.ts'

describe('The store in PostgreSQL', function () {
  this.timeout(60_000)
  let postgres: TestPostgres | undefined
  before(async () => {
    postgres = await aPostgres()
  })

  const placesIn = (make: (url: string) => Promise<KeptDatabase>): (() => Promise<Place>) => {
    const next = keptDatabases(() => postgres!.database(), make)
    return async () => {
      const { url, query } = await next()
      return {
        data: url,
        query,
        async everything() {
          const tables = await query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
          const values: unknown[] = []
          for (const { tablename } of tables)
            for (const row of await query(`SELECT * FROM "${tablename}"`)) values.push(...Object.values(row))
          return Buffer.concat(values.map((value) => (Buffer.isBuffer(value) ? value : Buffer.from(`${value}\n`))))
        },
      }
    }
  }
  const [empty, migrated] = [placesIn(emptyDatabase), placesIn(migratedDatabase)]
  /** The tests of what a store is leave migrations of a later build behind. */
  const another = placesIn(migratedDatabase)
  after(() => postgres?.stop())

  keepsTheStoreContract(migrated)
  staysRightUnderConcurrency(migrated)
  keepsItsAuditLog(empty)
  knowsWhatItIs(migrated)
  describe('when rows are changed without the master key', () => refusesChangedRows(another))
  describe('values that the service never writes', () => refusesImpossibleValues(another))
  describe('when tasks are changed without the master key', () => refusesChangedTasks(another))

  it('says that a server does not answer, without the user or the password', async () => {
    const failure = await openStore('postgres://somebody:secret@127.0.0.1:1/none', Buffer.alloc(32)).then(
      () => '',
      (reason: Error) => reason.message,
    )
    expect(failure).to.equal('The PostgreSQL server of --data does not answer (ECONNREFUSED).')
  })

  for (const [what, change, message] of [
    [
      'password',
      { password: 'wrong' },
      'The PostgreSQL server of --data refuses: user or password are wrong; a password is taken from PGPASSWORD or ~/.pgpass (28P01).',
    ],
    [
      'database',
      { pathname: '/nowhere' },
      'The PostgreSQL server of --data refuses: it has no database of this name; make it with createdb (3D000).',
    ],
  ] as const)
    it(`tells a wrong ${what} from a server that does not answer`, async () => {
      const url = new URL(postgres!.url)
      Object.assign(url, change)
      const failure = await openStore(url.href, Buffer.alloc(32)).catch((reason: Error) => reason)
      expect(failure).to.have.property('message', message)
    })

  it('takes the password from PGPASSWORD, so that it need not stand in a command line', async () => {
    const url = new URL(await postgres!.database())
    const before = process.env.PGPASSWORD
    process.env.PGPASSWORD = decodeURIComponent(url.password)
    url.password = ''
    try {
      await (await openStore(url.href, Buffer.alloc(32))).close()
    } finally {
      if (before === undefined) delete process.env.PGPASSWORD
      else process.env.PGPASSWORD = before
    }
  })
})
