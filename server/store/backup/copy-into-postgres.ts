/** Copies all rows of an SQLite store into an empty database of a PostgreSQL server: all of them, or none. */
import { DatabaseSync } from 'node:sqlite'
import { type Kysely, sql } from 'kysely'
import { migratorOf } from '../sql/database.ts'
import type { Opened } from '../sql/flavour.ts'
import { type Patience, realPatience } from '../sql/patience.ts'
import { openPostgres } from '../sql/postgres.ts'
import { countersIn, rowsAtOnce, tablesIn } from './plain-tables.ts'

type Row = Record<string, unknown>

/** `file` has the schema of this version. Rejects with a sentence when the database holds anything. */
export async function copyIntoPostgres(file: string, url: string): Promise<void> {
  const patience = realPatience()
  const opened = await openPostgres(url, 1, patience)
  const source = new DatabaseSync(file, { readOnly: true })
  try {
    await mustBeEmpty(opened.db)
    await fill(source, opened, patience).catch(async (failure: unknown) => {
      await emptyAgain(opened.db)
      throw failure
    })
  } finally {
    source.close()
    await opened.close()
  }
}

async function fill(source: DatabaseSync, opened: Opened, { patiently }: Patience): Promise<void> {
  const { error } = await migratorOf(opened).migrateToLatest()
  if (error) throw new Error('The tables could not be made in the database of --data.', { cause: error })
  await patiently(() => opened.db.transaction().execute((inside) => copyAll(source, inside)))
}

async function copyAll(source: DatabaseSync, into: Kysely<never>): Promise<void> {
  for (const table of tablesIn(source)) await copyTable(source, into, table)
  for (const { table, column, last } of countersIn(source))
    await sql`SELECT setval(pg_get_serial_sequence(${table}, ${column}), ${Math.max(1, last)}, ${last > 0})`.execute(
      into,
    )
}

async function copyTable(source: DatabaseSync, into: Kysely<never>, table: string): Promise<void> {
  let rows: Row[] = []
  const write = async () => {
    if (rows.length > 0) await insert(into, table, rows)
    rows = []
  }
  for (const row of source.prepare(`SELECT * FROM "${table}"`).iterate()) {
    rows.push(row)
    if (rows.length === rowsAtOnce(table)) await write()
  }
  await write()
}

const insert = (into: Kysely<never>, table: string, rows: readonly Row[]) => {
  const columns = Object.keys(rows[0]!)
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`)
  const names = sql.join(columns.map((column) => sql.ref(column)))
  return sql`INSERT INTO ${sql.table(table)} (${names}) VALUES ${sql.join(values)}`.execute(into)
}

async function mustBeEmpty(db: Kysely<never>): Promise<void> {
  if ((await tablesOf(db)).length > 0)
    throw new Error('The database of --data holds tables already. Give it a new one (CREATE DATABASE …).')
}

const tablesOf = async (db: Kysely<never>): Promise<string[]> =>
  (
    await sql<{ name: string }>`SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()`.execute(db)
  ).rows.map(({ name }) => name)

/** Takes away the tables that were made before the copying failed, so that it can be tried again. */
async function emptyAgain(db: Kysely<never>): Promise<void> {
  for (const table of await tablesOf(db)) await sql`DROP TABLE ${sql.table(table)} CASCADE`.execute(db)
}
