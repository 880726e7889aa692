/** Kysely over node:sqlite: one file, write-ahead log, every commit on disk before it is acknowledged. */
import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import type { Database } from './flavour.ts'
import type { Schema } from './schema.ts'

/** Name of the database inside the data folder. */
const FILE = 'countersign.sqlite'

export function openSqlite(data: string): Database {
  const file = data === ':memory:' ? data : join(writableFolder(data), FILE)
  const handle = new DatabaseSync(file)
  for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON', 'busy_timeout = 5000'])
    handle.exec(`PRAGMA ${pragma}`)
  const db = new Kysely<Schema>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new OneConnection(handle),
      createIntrospector: (instance) => new SqliteIntrospector(instance),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
  return {
    db,
    serial: 'integer PRIMARY KEY AUTOINCREMENT',
    blob: 'blob',
    locksRows: false,
    startAt: async (on, table, first) => {
      await sql`INSERT INTO sqlite_sequence (name, seq) VALUES (${table}, ${first - 1})`.execute(on)
    },
    countOn: async () => {},
    close: () => db.destroy(),
  }
}

/** The folder, made when it is missing; refuses with a sentence that says what to do. */
export function writableFolder(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK | constants.X_OK)
    if (statSync(folder).isDirectory()) return folder
  } catch {
    // Reported below: the reason of the file system names the folder a second time and says no more.
  }
  throw new Error(`The data folder ${folder} cannot be written. Give --data a folder that this user may write to.`)
}

/**
 * SQLite has one writer, so one connection serves everybody in turn. A transaction takes the write lock when it begins:
 * one that reads first and writes later would otherwise fail when another process wrote in between.
 */
class OneConnection implements Driver {
  readonly #handle: DatabaseSync
  #last: Promise<void> = Promise.resolve()
  #release: () => void = () => {}
  readonly #connection: DatabaseConnection

  constructor(handle: DatabaseSync) {
    this.#handle = handle
    const prepared = preparing(handle)
    this.#connection = {
      executeQuery: async <R>(query: CompiledQuery): Promise<QueryResult<R>> => {
        const { statement, givesRows } = prepared(query.sql)
        const parameters = query.parameters as readonly SQLInputValue[]
        if (givesRows) return { rows: statement.all(...parameters) as R[] }
        const { changes, lastInsertRowid } = statement.run(...parameters)
        return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
      },
      streamQuery: () => {
        throw new Error('Rows are not streamed from SQLite.')
      },
    }
  }

  async init() {}

  async acquireConnection() {
    const before = this.#last
    let release = () => {}
    this.#last = new Promise<void>((resolve) => {
      release = resolve
    })
    await before
    this.#release = release
    return this.#connection
  }

  async releaseConnection() {
    this.#release()
  }

  async beginTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw('BEGIN IMMEDIATE'))
  }

  async commitTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw('COMMIT'))
  }

  async rollbackTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw('ROLLBACK'))
  }

  async destroy() {
    await this.#last
    this.#handle.close()
  }
}

interface Prepared {
  statement: StatementSync
  givesRows: boolean
}

/** Keeps the statements that were used last: to prepare one takes longer than to run it. */
function preparing(handle: DatabaseSync): (sql: string) => Prepared {
  const kept = new Map<string, Prepared>()
  return (sql) => {
    const found = kept.get(sql)
    const prepared = found ?? prepare(handle, sql)
    kept.delete(sql)
    kept.set(sql, prepared)
    if (kept.size > STATEMENTS_KEPT) kept.delete(kept.keys().next().value!)
    return prepared
  }
}

function prepare(handle: DatabaseSync, sql: string): Prepared {
  const statement = handle.prepare(sql)
  return { statement, givesRows: statement.columns().length > 0 }
}

const STATEMENTS_KEPT = 200
