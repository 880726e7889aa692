/** What a PostgreSQL that fails in each phase of a transaction does to it: a real server, and a proxy that cuts connections. */
import { expect } from 'chai'
import { type RawBuilder, sql } from 'kysely'
import { type Clock, systemClock } from '../../../../lib/clock.ts'
import { STORE_PATIENCE_MS } from '../../../../server/choices.ts'
import { OutcomeUnknown, StoreAway } from '../../../../server/domain/store-refusals.ts'
import { inTransaction, type StoreContext, type TransactionContext } from '../../../../server/store/context.ts'
import { createCipher } from '../../../../server/store/sealing/cipher.ts'
import { openDatabase } from '../../../../server/store/sql/database.ts'
import type { Database } from '../../../../server/store/sql/flavour.ts'
import { createPatience, type Outage } from '../../../../server/store/sql/patience.ts'
import { aTcpProxy, type TcpProxy } from '../../../support/network/a-tcp-proxy.ts'
import { aPostgres, query, type TestPostgres } from '../../../support/store/postgres/a-postgres.ts'
import { type KeptDatabase, migratedDatabase } from '../../../support/store/postgres/kept-database.ts'
import { keptDatabases } from '../../../support/store/postgres/kept-databases.ts'

describe('A transaction on a PostgreSQL that fails', function () {
  this.timeout(60_000)
  let postgres: TestPostgres | undefined
  let proxy: TcpProxy | undefined
  let database: Database | undefined
  let context: StoreContext
  let kept: KeptDatabase
  /** Past the proxy. */
  let directly: string
  let outages: Outage[]
  /** How long calls have waited before they tried again, in ms. */
  let pauses: number[]
  before(async () => {
    postgres = await aPostgres()
    proxy = await aTcpProxy({ host: '127.0.0.1', port: Number(new URL(postgres.url).port) })
  })
  after(async () => {
    await proxy?.close()
    await postgres?.stop()
  })
  beforeEach(async () => {
    kept = await next()
    directly = kept.url
    const data = new URL(directly)
    data.port = String(proxy!.port)
    pauses = []
    const clock: Clock = {
      ...systemClock,
      sleep(ms, signal) {
        pauses.push(ms)
        return systemClock.sleep(ms, signal)
      },
    }
    const patience = createPatience(clock, Math.random)
    outages = []
    patience.onOutage((outage) => outages.push(outage))
    database = await openDatabase({ data: data.href, connections: 4, patience }, createCipher(Buffer.alloc(32)))
    // Nothing of these transactions is audited or sealed.
    context = { ...database, patiently: patience.patiently, announce: () => {} } as unknown as StoreContext
    await kept.query("INSERT INTO probe (name) VALUES ('one'), ('two')")
  })
  afterEach(() => database?.close())
  // After the former.
  const next = keptDatabases(() => postgres!.database(), migratedDatabase)

  const write = ({ db }: TransactionContext, name: string) => sql`INSERT INTO probe (name) VALUES (${name})`.execute(db)
  const rows = async () => (await kept.query('SELECT name FROM probe ORDER BY name')).map(({ name }) => name)
  const terminate = async ({ db }: TransactionContext) => {
    const { rows: mine } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db)
    await query(directly, `SELECT pg_terminate_backend(${mine[0]!.pid}, 5000)`)
  }

  /** What happens to the first try, and where in the transaction. */
  const phases: Record<string, (inside: TransactionContext) => Promise<unknown>> = {
    'is ended by an administrator before its first statement': async (inside) => {
      await terminate(inside)
      await write(inside, 'new')
    },
    'is ended between two statements': async (inside) => {
      await write(inside, 'new')
      await terminate(inside)
      await write(inside, 'another')
    },
    'is ended during a statement': async (inside) => {
      await write(inside, 'new')
      const { rows: mine } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(inside.db)
      const sleeping = sql`SELECT pg_sleep(30)`.execute(inside.db)
      await Promise.all([sleeping, query(directly, `SELECT pg_terminate_backend(${mine[0]!.pid}, 5000)`)])
    },
    'is ended before its commit': async (inside) => {
      await write(inside, 'new')
      await terminate(inside)
    },
    'loses its server, which restarts in order': async (inside) => {
      await write(inside, 'new')
      await postgres!.restart('fast')
      await write(inside, 'another')
    },
    'loses its server, which restarts after a crash': async (inside) => {
      await write(inside, 'new')
      await postgres!.restart('immediate')
    },
    'waits too long for a lock': async (inside) => {
      await sql`SET LOCAL lock_timeout = 50`.execute(inside.db)
      const holding = query(directly, 'BEGIN; LOCK TABLE probe; SELECT pg_sleep(0.4); COMMIT')
      await untilLocked()
      await write(inside, 'new').finally(() => holding)
    },
    'runs out of the time of a statement': async (inside) => {
      await write(inside, 'new')
      await sql`SET LOCAL statement_timeout = 50`.execute(inside.db)
      await sql`SELECT pg_sleep(5)`.execute(inside.db)
    },
    'is idle for too long': async (inside) => {
      await write(inside, 'new')
      await sql`SET LOCAL idle_in_transaction_session_timeout = 50`.execute(inside.db)
      await systemClock.sleep(300)
    },
    'read what another one has changed since': async (inside) => {
      await sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`.execute(inside.db)
      await inside.db.selectFrom('probe').selectAll().execute()
      await query(directly, "UPDATE probe SET name = 'one' WHERE name = 'one'")
      await sql`UPDATE probe SET name = 'one' WHERE name = 'one'`.execute(inside.db)
    },
  }
  const untilLocked = async () => {
    const held =
      "SELECT 1 FROM pg_locks WHERE relation = 'probe'::regclass AND mode = 'AccessExclusiveLock' AND granted"
    while ((await kept.query(held)).length === 0);
  }

  for (const [what, provoke] of Object.entries(phases))
    it(`is run again when it ${what}`, async () => {
      let tries = 0
      const result = await inTransaction(context, async (inside) => {
        if (++tries === 1) await provoke(inside)
        else await write(inside, 'new')
        return tries
      })
      expect(result).to.equal(2)
      expect(await rows()).to.deep.equal(['new', 'one', 'two'])
      expect(outages).to.deep.equal([])
    })

  it('is run again when it meets another one in a deadlock, and both are done', async () => {
    const bothHold = aMeeting(2)
    let tries = 0
    const take = (first: string, second: string) =>
      inTransaction(context, async (inside) => {
        const isFirst = ++tries <= 2
        await hold(inside, sql.lit(first))
        if (isFirst) await bothHold()
        await hold(inside, sql.lit(second))
        await write(inside, `${first} first`)
      })
    await Promise.all([take('one', 'two'), take('two', 'one')])
    expect(tries).to.equal(3)
    expect(await rows()).to.deep.equal(['one', 'one first', 'two', 'two first'])
  })
  const hold = ({ db }: TransactionContext, name: RawBuilder<string>) =>
    sql`SELECT 1 FROM probe WHERE name = ${name} FOR UPDATE`.execute(db)

  for (const [when, left] of [
    ['after', ['new', 'one', 'two']],
    ['before', ['one', 'two']],
  ] as const)
    it(`is not run again when its connection is cut ${when} the commit has arrived: nobody knows`, async () => {
      let tries = 0
      const failure = await inTransaction(context, async (inside) => {
        tries++
        await write(inside, 'new')
        proxy!.cutOnce({ words: 'commit', when })
      }).catch((reason: unknown) => reason)
      expect(failure).to.be.instanceOf(OutcomeUnknown)
      expect((failure as OutcomeUnknown).errors).to.deep.equal([
        'The answer of the store was lost, so it is not known whether this was done. Look before you send it again.',
      ])
      expect(tries).to.equal(1)
      expect(await rows()).to.deep.equal(left)
      expect(outages).to.deep.equal([{ is: 'unanswered', reason: 'connection lost' }])
    })

  it('is refused after a while when the server stays away, with one word of it, and done when it is back', async () => {
    await proxy!.close()
    const call = () => inTransaction(context, (inside) => write(inside, 'new')).catch((reason: unknown) => reason)
    const failures = await Promise.all([call(), call(), call()])
    expect(pauses, 'each tries several times').to.have.lengthOf.above(3)
    const waitedMs = pauses.splice(0).reduce((sum, ms) => sum + ms, 0)
    expect(waitedMs).to.be.at.most(3 * STORE_PATIENCE_MS)
    for (const failure of failures) expect(failure).to.be.instanceOf(StoreAway)
    expect(await call(), 'while it is known to be away').to.be.instanceOf(StoreAway)
    expect(pauses).to.deep.equal([])
    expect(outages).to.deep.equal([{ is: 'away', reason: 'ECONNREFUSED' }])

    await proxy!.open()
    await systemClock.sleep(1_000)
    expect(await call()).not.to.be.instanceOf(Error)
    expect(await rows()).to.deep.equal(['new', 'one', 'two'])
    expect(outages.map(({ is }) => is)).to.deep.equal(['away', 'back'])
  })

  it('leaves statements outside of transactions to be tried again, too', async () => {
    const mine =
      'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()'
    await query(directly, mine)
    expect(await database!.db.selectFrom('probe').selectAll().execute()).to.have.length(2)
    const sleeping = sql`SELECT pg_sleep(0.5)`.execute(database!.db)
    await systemClock.sleep(100)
    await query(directly, mine)
    await sleeping
  })

  it('has time limits, which a change of the schema does not have', async () => {
    const limit = async (on: Pick<Database, 'db'>['db']) =>
      (await sql<{ statementTimeout: string }>`SHOW statement_timeout`.execute(on)).rows[0]
    expect(await limit(database!.db)).to.deep.equal({ statementTimeout: '30s' })
    const unhurried = await database!.unhurried(async (db) => (await sql`SHOW statement_timeout`.execute(db)).rows[0])
    expect(unhurried).to.deep.equal({ statement_timeout: '0' })
  })
})

/** Returns a function that resolves when `count` callers have come. */
function aMeeting(count: number): () => Promise<void> {
  let meet = () => {}
  const met = new Promise<void>((resolve) => {
    meet = resolve
  })
  let came = 0
  return () => {
    if (++came === count) meet()
    return met
  }
}
