/** The connection to SQLite that Kysely drives: everybody uses the same one in turn, and waits without holding up the process. */
import type { SQLInputValue } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { mayWait } from '../later.ts'
import type { RemoteSqlite } from './remote.ts'
import type { Done, Failed, Statement } from './thread.ts'

/** SQLITE_BUSY and its variants: another connection holds the lock. */
const BUSY = 5
/** Five seconds in all. */
const TRIES = 500
const PAUSE_MS = 10

/**
 * SQLite has one writer, so one connection serves everybody in turn. A transaction takes the write lock when it begins:
 * one that reads first and writes later would otherwise fail when another process wrote in between. Each message to the thread of
 * SQLite and back costs more than most statements. So what begins a transaction, and writes that may wait, go with its next
 * statement, at the latest with the commit.
 */
export class OneConnection implements Driver {
  readonly #sqlite: RemoteSqlite
  readonly #isAway: () => boolean
  #last: Promise<void> = Promise.resolve()
  #release: () => void = () => {}
  readonly #connection: DatabaseConnection
  /** The statements of the open transaction that wait; null without one. What was sent waits no more, whatever its result. */
  #waiting: Statement[] | null = null

  /** @param isAway whether the database is known to fail: then no one waits for its lock */
  constructor(sqlite: RemoteSqlite, isAway: () => boolean) {
    this.#sqlite = sqlite
    this.#isAway = isAway
    this.#connection = {
      executeQuery: (query) => this.#execute(query),
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

  async beginTransaction() {
    this.#waiting = [BEGIN]
  }

  async commitTransaction() {
    const rest = this.#waiting?.splice(0) ?? []
    // Nothing was asked of it.
    const isEmpty = rest[0] === BEGIN && rest.length === 1
    if (!isEmpty) await this.#done([...rest, COMMIT])
    this.#waiting = null
  }

  async rollbackTransaction() {
    const hasBegun = this.#waiting?.[0] !== BEGIN
    this.#waiting = null
    if (hasBegun) await this.#done([ROLLBACK])
  }

  async destroy() {
    await this.#last
    await this.#sqlite.close()
  }

  async #execute<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const statement: Statement = { sql: query.sql, parameters: query.parameters as readonly SQLInputValue[] }
    const waiting = this.#waiting
    if (waiting && mayWait(query)) {
      waiting.push(statement)
      return { rows: [] }
    }
    return resultOf(await this.#done([...(waiting?.splice(0) ?? []), statement]))
  }

  /** SQLite's own waiting would end only when its time is over, also when the store is known to be away by then. */
  async #done(statements: readonly Statement[]): Promise<Done> {
    let left = statements
    for (let tried = 1; ; tried++) {
      try {
        return await this.#sqlite.run(left)
      } catch (failure) {
        const { errcode = 0, failedAt } = failure as Failed
        left = left.slice(failedAt)
        if ((errcode & 0xff) !== BUSY || tried === TRIES || this.#isAway())
          throw Object.assign(failure as Error, { isUncommitted: left[0] !== COMMIT })
      }
      await pause(PAUSE_MS)
    }
  }
}

const BEGIN: Statement = { sql: 'BEGIN IMMEDIATE', parameters: [] }
const COMMIT: Statement = { sql: 'COMMIT', parameters: [] }
const ROLLBACK: Statement = { sql: 'ROLLBACK', parameters: [] }

function resultOf<R>({ rows, changes, lastInsertRowid }: Done): QueryResult<R> {
  if (changes === undefined || lastInsertRowid === undefined) return { rows: rows as R[] }
  return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
}
