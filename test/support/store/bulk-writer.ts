/** Writes many rows into a store's tables past the store: tens of thousands a second, in large transactions. */
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import pg from 'pg'
import { DATABASE_FILE } from '../../../server/store/folder/data-files.ts'
import type { Row } from './rows-of-a-task.ts'

export interface BulkWriter {
  /** Rows of one table, all with the same columns. */
  write(table: string, rows: readonly Row[]): Promise<void>
  run(sql: string): Promise<void>
  close(): Promise<void>
}

/** `data` is a folder or a `postgres://` URL, as of `--data`. */
export const bulkWriter = (data: string): Promise<BulkWriter> =>
  data.startsWith('postgres') ? postgresWriter(data) : sqliteWriter(data)

async function sqliteWriter(folder: string): Promise<BulkWriter> {
  const handle = new DatabaseSync(join(folder, DATABASE_FILE))
  handle.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -200000')
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
    run: async (sql) => handle.exec(sql),
    close: async () => handle.close(),
  }
}

async function postgresWriter(url: string): Promise<BulkWriter> {
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
    run: async (sql) => void (await client.query(sql)),
    close: () => client.end(),
  }
}

/** As PostgreSQL reads bytes that come as a text. */
const withBytesAsText = (row: Row) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value]),
  )
