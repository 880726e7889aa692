/**
 * Writes many rows into a store's tables past the store: tens of thousands a second, in large transactions. Indexes are made at
 * the end, each in one go, and then the planner is told how the values are spread.
 */
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import pg from 'pg'
import { DATABASE_FILE } from '../../../server/store/folder/data-files.ts'
import type { Row } from './rows-of-a-task.ts'

export interface BulkWriter {
  /** Rows of one table, all with the same columns. */
  write(table: string, rows: readonly Row[]): Promise<void>
  close(): Promise<void>
}

interface Connection {
  write: BulkWriter['write']
  query(sql: string): Promise<unknown[]>
  close(): Promise<void>
  /** Reads the names and definitions of all indexes that are not part of a table's own definition. */
  indexes: string
  /** Leaves the tables as they are after a while of work: tidied and analyzed. */
  settle: string
}

/** `data` is a folder or a `postgres://` URL, as of `--data`. */
export async function bulkWriter(data: string): Promise<BulkWriter> {
  const { write, query, close, indexes, settle } = await (data.startsWith('postgres') ? postgres(data) : sqlite(data))
  const found = (await query(indexes)) as { name: string; sql: string }[]
  for (const { name } of found) await query(`DROP INDEX ${name}`)
  return {
    write,
    async close() {
      for (const { sql } of found) await query(sql)
      await query(settle)
      await close()
    },
  }
}

async function sqlite(folder: string): Promise<Connection> {
  const handle = new DatabaseSync(join(folder, DATABASE_FILE))
  handle.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -200000; PRAGMA analysis_limit = 400')
  const statements = new Map<string, StatementSync>()
  const statementFor = (table: string, columns: readonly string[]) => {
    const text = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
    const found = statements.get(text) ?? handle.prepare(text)
    statements.set(text, found)
    return found
  }
  return {
    async write(table, rows) {
      handle.exec('BEGIN')
      for (const row of rows) statementFor(table, Object.keys(row)).run(...Object.values(row))
      handle.exec('COMMIT')
    },
    query: async (sql) => handle.prepare(sql).all(),
    close: async () => {
      handle.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      handle.close()
    },
    indexes: "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL",
    settle: 'ANALYZE',
  }
}

async function postgres(url: string): Promise<Connection> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return {
    async write(table, rows) {
      const columns = Object.keys(rows[0]!).join(', ')
      const values = JSON.stringify(rows.map(withBytesAsText))
      await client.query(
        `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1)`,
        [values],
      )
    },
    query: async (sql) => (await client.query(sql)).rows as unknown[],
    close: () => client.end(),
    indexes: `SELECT indexname AS name, indexdef AS sql FROM pg_indexes
      WHERE schemaname = 'public' AND indexname NOT IN (SELECT conname FROM pg_constraint)`,
    settle: 'VACUUM (ANALYZE)',
  }
}

/** As PostgreSQL reads bytes that come as a text. */
const withBytesAsText = (row: Row) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value]),
  )
