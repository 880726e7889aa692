/** The connection to SQLite that Kysely drives: everybody uses the same one in turn, and waits without holding up the process. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from 'kysely'
import { type Prepared, preparing } from './prepared.ts'

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
  readonly #handle: DatabaseSync
  #last: Promise<void> = Promise.resolve()
  #release: () => void = () => {}
  readonly #connection: DatabaseConnection

  /** @param isAway whether the database is known to fail: then nobody waits for its lock */
  constructor(handle: DatabaseSync, isAway: () => boolean) {
    this.#handle = handle
    const prepared = preparing(handle)
    this.#connection = {
      executeQuery: <R>(query: CompiledQuery): Promise<QueryResult<R>> =>
        whenFree(() => run<R>(prepared(query.sql), query.parameters as readonly SQLInputValue[]), isAway),
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

function run<R>({ statement, givesRows }: Prepared, parameters: readonly SQLInputValue[]): QueryResult<R> {
  if (givesRows) return { rows: statement.all(...parameters) as R[] }
  const { changes, lastInsertRowid } = statement.run(...parameters)
  return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
}

/**
 * SQLite's own waiting stops the whole process, and with it another connection of the same process that holds the lock: the
 * two would wait for each other. So it is asked again from time to time instead.
 */
async function whenFree<T>(work: () => T, isAway: () => boolean): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return work()
    } catch (failure) {
      const { errcode = 0 } = failure as { errcode?: number }
      if ((errcode & 0xff) !== BUSY || tried === TRIES || isAway()) throw failure
    }
    await pause(PAUSE_MS)
  }
}
