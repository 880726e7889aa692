/** Kysely over PostgreSQL, for several instances of the service on one database. The driver `pg` is an optional peer. */
import { Kysely, PostgresDialect, sql } from 'kysely'
import type { Opened } from './flavour.ts'

export async function openPostgres(url: string): Promise<Opened> {
  const { default: pg } = await import('pg').catch(() => {
    throw new Error('A postgres:// store needs the package pg: npm install pg')
  })
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  await pool.query('SELECT 1').catch((failure: { code?: string }) => {
    // The driver's own message can repeat the user name or the host, so only its code is passed on.
    throw new Error(`The PostgreSQL server of --data does not answer (${failure.code ?? 'no code'}).`)
  })
  const db = new Kysely<never>({ dialect: new PostgresDialect({ pool }) })
  return {
    db,
    serial: 'serial PRIMARY KEY',
    blob: 'bytea',
    locksRows: true,
    startAt: async (on, table, first) => {
      await sql`SELECT setval(pg_get_serial_sequence(${table}, 'id'), ${first}, false)`.execute(on)
    },
    countOn: async (on, table) => {
      await sql`SELECT setval(pg_get_serial_sequence(${table}, 'id'), (SELECT max(id) FROM ${sql.table(table)}))`.execute(
        on,
      )
    },
    scrub: async () => {
      for (const table of ['subscription', 'template']) await sql`VACUUM FULL ${sql.table(table)}`.execute(db)
    },
    // Nothing lies beside it; autovacuum sees to the rows.
    forget: async () => {},
    close: () => db.destroy(),
  }
}
