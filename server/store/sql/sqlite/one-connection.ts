/** The connection to SQLite that Kysely drives: everybody uses the same one in turn, and waits without holding up the process. */
import type { SQLInputValue } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from 'kysely'
import type { RemoteSqlite } from './remote.ts'

/** SQLITE_BUSY and its variants: another connection holds the lock. */
const BUSY = 5
/** Five seconds in all. */
const TRIES = 500
const PAUSE_MS = 10

/**
 * SQLite has one writer, so one connection serves everybody in turn. A transaction takes the write lock when it begins:
 * one that reads first and writes later would otherwise fail when another process wrote in between.
 */
export class OneConnection implements Driver {
  readonly #sqlite: RemoteSqlite
  #last: Promise<void> = Promise.resolve()
  #release: () => void = () => {}
  readonly #connection: DatabaseConnection

  /** @param isAway whether the database is known to fail: then nobody waits for its lock */
  constructor(sqlite: RemoteSqlite, isAway: () => boolean) {
    this.#sqlite = sqlite
    this.#connection = {
      executeQuery: <R>(query: CompiledQuery): Promise<QueryResult<R>> => whenFree(() => run<R>(sqlite, query), isAway),
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
    await this.#sqlite.close()
  }
}

async function run<R>(sqlite: RemoteSqlite, { sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
  const { rows, changes, lastInsertRowid } = await sqlite.run(sql, parameters as readonly SQLInputValue[])
  if (changes === undefined || lastInsertRowid === undefined) return { rows: rows as R[] }
  return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
}

/** SQLite's own waiting would end only when its time is over, also when the store is known to be away by then. */
async function whenFree<T>(work: () => Promise<T>, isAway: () => boolean): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work()
    } catch (failure) {
      const { errcode = 0 } = failure as { errcode?: number }
      if ((errcode & 0xff) !== BUSY || tried === TRIES || isAway()) throw failure
    }
    await pause(PAUSE_MS)
  }
}
