/**
 * A journal in a SQLite file, which several processes may share. Every write is on the disk when its promise resolves
 * (synchronous=FULL), so that what was written before a call to another host is still known after a power cut. Writes of one turn of
 * the event loop are one transaction: the disk takes as long for one as for a hundred.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { setImmediate as otherTurns } from 'node:timers/promises'
import { inGroups } from '../in-groups.ts'
import type { JournalStore } from './journal-store.ts'
import { keyAt, placeOf, rangeOf } from './namespace.ts'
import { createPrivateFile } from './private-file.ts'
import { transaction } from './transaction.ts'

/** Writes between two sweeps of entries whose time is over, which would stay for ever when they are not read again. */
const WRITES_PER_SWEEP = 1000
const PAGE = 500

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS entries (key TEXT PRIMARY KEY, value TEXT NOT NULL, expires INTEGER) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS entries_expires ON entries (expires) WHERE expires IS NOT NULL;`

const PUT = `INSERT INTO entries (key, value, expires) VALUES (?, ?, ?)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires = excluded.expires`

interface Write {
  sql: string
  values: SQLInputValue[]
}

export class SqliteStore implements JournalStore {
  readonly #namespace: string
  readonly #database: DatabaseSync
  readonly #now: () => number
  readonly #statements = new Map<string, StatementSync>()
  /** Resolves with the number of entries that the write has changed. */
  readonly #write: (write: Write) => Promise<number>
  #writes = 0
  #isClosed = false

  /** @param location a file, whose folder is made where it is missing, or `:memory:` */
  constructor(location: string, namespace: string, now: () => number = Date.now) {
    this.#namespace = namespace
    this.#now = now
    if (location !== ':memory:') createPrivateFile(location)
    this.#database = new DatabaseSync(location)
    this.#database.exec(
      'PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF;',
    )
    this.#database.exec(SCHEMA)
    // Memory has no disk that several could wait for together.
    this.#write =
      location === ':memory:' ? async (write) => this.#writeAll([write])[0]! : inGroups((all) => this.#writeAll(all))
  }

  async get(key: string): Promise<string | undefined> {
    const row = this.#statement('SELECT value FROM entries WHERE key = ? AND (expires IS NULL OR expires > ?)').get(
      this.#place(key),
      this.#now(),
    )
    return row?.value as string | undefined
  }

  async set(key: string, text: string, ttlMs?: number): Promise<void> {
    await this.#write({ sql: PUT, values: [this.#place(key), text, this.#expiry(ttlMs)] })
  }

  async add(key: string, text: string, ttlMs?: number): Promise<boolean> {
    const values = [this.#place(key), text, this.#expiry(ttlMs), this.#now()]
    return (await this.#write({ sql: `${PUT} WHERE expires <= ?`, values })) > 0
  }

  async replace(key: string, expected: string, text: string, ttlMs?: number): Promise<boolean> {
    const sql = 'UPDATE entries SET value = ?, expires = ? WHERE key = ? AND value = ?'
    return (await this.#write({ sql, values: [text, this.#expiry(ttlMs), this.#place(key), expected] })) > 0
  }

  async delete(keys: readonly string[]): Promise<void> {
    const places = JSON.stringify(keys.map((key) => this.#place(key)))
    await this.#write({ sql: 'DELETE FROM entries WHERE key IN (SELECT value FROM json_each(?))', values: [places] })
  }

  /** In pages, so that entries may be written and removed in the meantime, and the event loop turns in between. */
  async *entries(): AsyncGenerator<[key: string, text: string], void> {
    const [from, to] = rangeOf(this.#namespace)
    const next = this.#statement(
      `SELECT key, value FROM entries WHERE key >= ? AND key > ? AND key < ? AND (expires IS NULL OR expires > ?)
       ORDER BY key LIMIT ${PAGE}`,
    )
    for (let last = ''; ; ) {
      const rows = next.all(from, last, to, this.#now()) as { key: string; value: string }[]
      for (const { key, value } of rows) yield [keyAt(this.#namespace, key), value]
      if (rows.length < PAGE) return
      await otherTurns()
      last = rows.at(-1)!.key
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    // Requests queued earlier are written in this turn.
    await otherTurns()
    this.#statements.clear()
    this.#database.close()
  }

  #place(key: string): string {
    return placeOf(this.#namespace, key)
  }

  #expiry(ttlMs: number | undefined): number | null {
    return ttlMs === undefined ? null : this.#now() + Math.ceil(ttlMs)
  }

  #writeAll(writes: readonly Write[]): number[] {
    return transaction(this.#database, () => {
      this.#writes += writes.length
      if (this.#writes >= WRITES_PER_SWEEP) {
        this.#writes = 0
        this.#run('DELETE FROM entries WHERE expires <= ?', this.#now())
      }
      return writes.map(({ sql, values }) => this.#run(sql, ...values))
    })
  }

  #run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#statement(sql).run(...values).changes)
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql) ?? this.#database.prepare(sql)
    this.#statements.set(sql, known)
    return known
  }
}
