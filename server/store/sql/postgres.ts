/** Kysely over PostgreSQL, for several instances of the service on one database. The driver `pg` is an optional peer. */
import { Kysely, PostgresAdapter, PostgresDriver, PostgresIntrospector, sql } from 'kysely'
import type { Pool, PoolConfig } from 'pg'
import { systemClock } from '../../../lib/clock.ts'
import { STORE_LIMITS_MS } from '../../choices.ts'
import { PostgresInSnakeCase } from './camel-case.ts'
import type { Opened } from './flavour.ts'
import { withPassword } from './password-file.ts'
import type { Patience } from './patience.ts'
import { PatientDriver } from './patient-driver.ts'
import { readPostgresFault } from './postgres-faults.ts'
import { createStoreQueue } from './store-queue.ts'
import { createWakeUps } from './wake-ups.ts'

export async function openPostgres(url: string, connections: number, patience: Patience): Promise<Opened> {
  const { default: pg } = await import('pg').catch(() => {
    throw new Error('A postgres:// store needs the package pg: npm install pg')
  })
  const connectionString = withPassword(url)
  const poolOf = (config: PoolConfig) => listenedTo(new pg.Pool({ ...CONNECTION, connectionString, ...config }))
  const pool = poolOf({ ...LIMITS, max: connections })
  await pool.query('SELECT 1').catch(async (failure: { code?: string }) => {
    await pool.end()
    throw notOpened(failure)
  })
  const queue = createStoreQueue(systemClock)
  const kyselyOver = (on: Pool, queue = createStoreQueue(systemClock)) =>
    new Kysely<never>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new PatientDriver(new PostgresDriver({ pool: on }), patience, readPostgresFault, queue),
        createIntrospector: (instance) => new PostgresIntrospector(instance),
        createQueryCompiler: () => new PostgresInSnakeCase(),
      },
    })
  const db = kyselyOver(pool, queue)
  return {
    db,
    queue,
    serial: 'serial PRIMARY KEY',
    blob: 'bytea',
    locksRows: true,
    startAt: async (on, table, first) => {
      await sql`SELECT setval(pg_get_serial_sequence(${table}, 'id'), ${first}, false)`.execute(on)
    },
    countFrom: async (on, table, next) => {
      await sql`SELECT setval(pg_get_serial_sequence(${table}, 'id'), ${next}, false)`.execute(on)
    },
    countOn: async (on, table) => {
      await sql`SELECT setval(pg_get_serial_sequence(${table}, 'id'), (SELECT max(id) FROM ${sql.table(table)}))`.execute(
        on,
      )
    },
    async unhurried(work) {
      const unlimited = poolOf({ max: 3 })
      const turn = await unlimited.connect()
      try {
        // Processes that start at once take turns: one that reads the catalog while another changes it would fail.
        await turn.query(`SELECT pg_advisory_lock(${UPGRADE_LOCK})`)
        return await work(kyselyOver(unlimited))
      } finally {
        turn.release(true)
        await unlimited.end()
      }
    },
    wakeUps: (surroundings) => {
      const newClient = () => new pg.Client({ ...CONNECTION, connectionString })
      return createWakeUps({ pool, newClient, ...surroundings })
    },
    // Nothing lies alongside it; autovacuum sees to the rows.
    forget: async () => {},
    close: () => db.destroy(),
  }
}

/** The driver's own message can repeat the user name or the host, so only its code is passed on. */
function notOpened({ code = 'no code' }: { code?: string }): Error {
  const refusal = REFUSALS[code]
  return new Error(`The PostgreSQL server of --data ${refusal ? `refuses: ${refusal}` : 'does not answer'} (${code}).`)
}

/** Refusals by SQLSTATE. */
const REFUSALS: Readonly<Record<string, string>> = {
  '28P01': 'user or password are wrong; a password is taken from PGPASSWORD or ~/.pgpass',
  '28000': 'this user may not connect from here; pg_hba.conf of the server says who may',
  '3D000': 'it has no database of this name; make it with createdb',
  '42501': 'this user may not use the database; GRANT it',
}

/** Any number that nothing else in the database locks by. */
const UPGRADE_LOCK = 7_203_116

/** A server that is gone without a word is noticed, also by a connection that waits for it. */
const CONNECTION: PoolConfig = {
  connectionTimeoutMillis: STORE_LIMITS_MS.connect,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
}

const LIMITS: PoolConfig = {
  statement_timeout: STORE_LIMITS_MS.statement,
  lock_timeout: STORE_LIMITS_MS.lock,
  idle_in_transaction_session_timeout: STORE_LIMITS_MS.idleInTransaction,
}

/**
 * A connection that breaks says so to its listeners, and ends the process when it has none. The pool listens to those that are
 * idle, and no one to those in use: there, the statement under way fails, or the next.
 */
function listenedTo(pool: Pool): Pool {
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  return pool
}
