/** Copies all rows of a store in PostgreSQL into an empty SQLite store of the same schema, as they were at one moment. */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Schema } from '../sql/schema.ts'
import { countersIn, rowsAtOnce, setCounter, tablesIn } from './plain-tables.ts'

type Row = Record<string, SQLInputValue>

/** The service may continue writing in the meantime: one transaction sees what was committed when it began, and nothing later. */
export async function copyFromPostgres(db: Kysely<Schema>, file: string): Promise<void> {
  // The copied data was consistent, and is checked below.
  const target = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  try {
    await db
      .withoutPlugins()
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (snapshot) => {
        for (const table of tablesIn(target)) await copyTable(snapshot, target, table)
        for (const { table, column } of countersIn(target))
          setCounter(target, { table, last: await lastNumber(snapshot, table, column) })
      })
    if (target.prepare('PRAGMA foreign_key_check').get()) throw new Error('The copy of the store is not consistent.')
  } finally {
    target.close()
  }
}

async function copyTable(from: Transaction<Schema>, target: DatabaseSync, table: string): Promise<void> {
  await sql`DECLARE copied NO SCROLL CURSOR FOR SELECT * FROM ${sql.table(table)}`.execute(from)
  for (;;) {
    const { rows } = await sql<Row>`FETCH ${sql.raw(String(rowsAtOnce(table)))} FROM copied`.execute(from)
    if (rows.length === 0) break
    insert(target, table, rows)
  }
  await sql`CLOSE copied`.execute(from)
}

function insert(target: DatabaseSync, table: string, rows: readonly Row[]): void {
  const columns = Object.keys(rows[0]!)
  const names = columns.map((column) => `"${column}"`).join(', ')
  const statement = target.prepare(`INSERT INTO "${table}" (${names}) VALUES (${columns.map(() => '?').join(', ')})`)
  target.exec('BEGIN')
  for (const row of rows) statement.run(...columns.map((column) => row[column]!))
  target.exec('COMMIT')
}

async function lastNumber(from: Transaction<Schema>, table: string, column: string): Promise<number> {
  const { rows: named } = await sql<{
    name: string
  }>`SELECT pg_get_serial_sequence(${table}, ${column}) AS name`.execute(from)
  const { rows } = await sql<{ last: number }>`
    SELECT (CASE WHEN is_called THEN last_value ELSE last_value - 1 END)::integer AS last
    FROM ${sql.raw(named[0]!.name)}`.execute(from)
  return rows[0]!.last
}
