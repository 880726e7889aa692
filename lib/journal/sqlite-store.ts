/**
 * A Keyv adapter over node:sqlite. Every write is on the disk when it returns (synchronous=FULL), so that what was written
 * before a call to another host is still known after a power cut. It holds ids and states and never interprets a value.
 */
import { EventEmitter } from 'node:events'
import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { setImmediate as otherTurns } from 'node:timers/promises'
import type { KeyvStoreAdapter } from 'keyv'
import type { DecidingStore } from './journal.ts'
import { keysOf } from './keys-of.ts'

interface Entry {
  key: string
  value: string
  /** Milliseconds to live. */
  ttl?: number | undefined
}

/** Writes between two sweeps of entries whose time is over; nobody else would ever remove those that are not read again. */
const WRITES_PER_SWEEP = 1000
const PAGE = 500

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS entries (key TEXT PRIMARY KEY, value TEXT NOT NULL, expires INTEGER) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS entries_expires ON entries (expires) WHERE expires IS NOT NULL;`

export class SqliteStore extends EventEmitter implements KeyvStoreAdapter, DecidingStore {
  /** Keyv offers its iterator only to dialects that it knows. */
  readonly opts: { dialect: 'sqlite'; url: string }
  namespace?: string | undefined
  readonly #database: DatabaseSync
  readonly #now: () => number
  readonly #statements = new Map<string, StatementSync>()
  #writes = 0
  #isClosed = false

  /** `location` is a file, whose folder is made, or `:memory:`. */
  constructor(location: string, now: () => number = Date.now) {
    super()
    this.#now = now
    this.opts = { dialect: 'sqlite', url: location }
    if (location !== ':memory:') createPrivateFile(location)
    this.#database = new DatabaseSync(location)
    this.#database.exec(
      'PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF;',
    )
    this.#database.exec(SCHEMA)
  }

  async get<Value>(key: string): Promise<Value | undefined> {
    return this.#row(key)?.value as Value | undefined
  }

  async getMany<Value>(keys: string[]): Promise<Array<Value | undefined>> {
    return keys.map((key) => this.#row(key)?.value as Value | undefined)
  }

  async has(key: string): Promise<boolean> {
    return this.#row(key) !== undefined
  }

  async hasMany(keys: string[]): Promise<boolean[]> {
    return keys.map((key) => this.#row(key) !== undefined)
  }

  async set(key: string, value: string, ttl?: number): Promise<boolean> {
    this.#write({ key, value, ttl })
    return true
  }

  async setMany(entries: Entry[]): Promise<void> {
    this.#atOnce(() => {
      for (const entry of entries) this.#write(entry)
    })
  }

  /**
   * Writes only where nothing is, in one statement: of all callers, also in other processes with the same file, exactly one
   * is told true. Keyv itself has no such call.
   */
  async add(key: string, value: string, ttl?: number): Promise<boolean> {
    return (
      this.#run(
        `INSERT INTO entries (key, value, expires) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE
         SET value = excluded.value, expires = excluded.expires WHERE expires <= ?`,
        ...[key, value, this.#expiry(ttl), this.#now()],
      ) > 0
    )
  }

  /** Replaces a value only if it is still the expected one, also against other processes with the same file. */
  async replace(key: string, expected: string, value: string, ttl?: number): Promise<boolean> {
    const expiry = this.#expiry(ttl)
    return (
      this.#run('UPDATE entries SET value = ?, expires = ? WHERE key = ? AND value = ?', value, expiry, key, expected) >
      0
    )
  }

  async delete(key: string): Promise<boolean> {
    return this.#run('DELETE FROM entries WHERE key = ?', key) > 0
  }

  async deleteMany(keys: string[]): Promise<boolean> {
    return this.#atOnce(() => keys.map((key) => this.#run('DELETE FROM entries WHERE key = ?', key) > 0).some(Boolean))
  }

  async clear(): Promise<void> {
    const [from, to] = keysOf(this.namespace)
    this.#run('DELETE FROM entries WHERE key >= ? AND key < ?', from, to)
  }

  /** In pages, so that entries may be written and removed meanwhile, and everybody else gets his turn in between. */
  async *iterator<Value>(namespace?: string): AsyncGenerator<Array<string | Awaited<Value> | undefined>, void> {
    const [from, to] = keysOf(namespace)
    const next = this.#statement(
      `SELECT key, value FROM entries WHERE key >= ? AND key > ? AND key < ? AND (expires IS NULL OR expires > ?)
       ORDER BY key LIMIT ${PAGE}`,
    )
    for (let last = ''; ; ) {
      const rows = next.all(from, last, to, this.#now())
      for (const { key, value } of rows) yield [key as string, value as Awaited<Value>]
      if (rows.length < PAGE) return
      await otherTurns()
      last = rows.at(-1)!.key as string
    }
  }

  async disconnect(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#statements.clear()
    this.#database.close()
  }

  #row(key: string) {
    return this.#statement('SELECT value FROM entries WHERE key = ? AND (expires IS NULL OR expires > ?)').get(
      key,
      this.#now(),
    )
  }

  #write({ key, value, ttl }: Entry): void {
    this.#run(
      'INSERT INTO entries (key, value, expires) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires = excluded.expires',
      ...[key, value, this.#expiry(ttl)],
    )
    if (++this.#writes % WRITES_PER_SWEEP === 0) this.#run('DELETE FROM entries WHERE expires <= ?', this.#now())
  }

  #expiry(ttl: number | undefined): number | null {
    return ttl === undefined ? null : this.#now() + Math.ceil(ttl)
  }

  #run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#statement(sql).run(...values).changes)
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql) ?? this.#database.prepare(sql)
    this.#statements.set(sql, known)
    return known
  }

  #atOnce<T>(work: () => T): T {
    this.#database.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      this.#database.exec('COMMIT')
      return result
    } catch (failure) {
      this.#database.exec('ROLLBACK')
      throw failure
    }
  }
}

/** The ids inside belong to patients' documents, so nobody but the owner may read the file. */
function createPrivateFile(location: string): void {
  mkdirSync(dirname(resolve(location)), { recursive: true, mode: 0o700 })
  closeSync(openSync(location, 'a', 0o600))
  if (process.platform === 'win32') return
  for (const file of [location, `${location}-wal`, `${location}-shm`]) {
    // One of another user's is shared with us on purpose, and not ours to close.
    const found = statSync(file, { throwIfNoEntry: false })
    if (found && found.uid === process.geteuid!() && (found.mode & 0o077) !== 0) chmodSync(file, 0o600)
  }
}
