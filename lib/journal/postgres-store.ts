/**
 * A journal in PostgreSQL, which several processes may share. It decides in single statements and by the clock of the database, and a
 * connection that breaks fails the call under way and nothing else.
 */
import type { Pool } from 'pg'
import type { JournalStore } from './journal-store.ts'
import { keyAt, placeOf, rangeOf } from './namespace.ts'

const WRITES_PER_SWEEP = 1000
const PAGE = 500

/**
 * COLLATE "C" orders by bytes, which the range of a namespace needs. The lock keeps two processes from making it at once.
 * `countersign_run` says until when each process that owns entries is known to live.
 */
export const JOURNAL_SCHEMA = `
  BEGIN;
  SELECT pg_advisory_xact_lock(20260115);
  CREATE TABLE IF NOT EXISTS countersign_journal (key text COLLATE "C" PRIMARY KEY, value text NOT NULL, expires bigint);
  CREATE INDEX IF NOT EXISTS countersign_journal_expires ON countersign_journal (expires) WHERE expires IS NOT NULL;
  CREATE TABLE IF NOT EXISTS countersign_run (run text PRIMARY KEY, until timestamptz NOT NULL);
  DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_attribute
      WHERE attrelid = 'countersign_journal'::regclass AND attname = 'owner' AND NOT attisdropped)
    THEN ALTER TABLE countersign_journal ADD COLUMN owner text;
    END IF;
  END $$;
  COMMIT`

/** SQL for the time of the database in milliseconds since 1970. */
export const DATABASE_TIME = '(extract(epoch from now()) * 1000)::bigint'

/** SQL for whether the process that a column names is not known to live any more. */
export const hasEnded = (owner: string): string =>
  `NOT EXISTS (SELECT FROM countersign_run AS living WHERE living.run = ${owner} AND living.until > now())`

/** SQL for whether a process may change a row with this owner: its own one, or one that another process has left. */
export const isOurs = (owner: string, run: string): string => `(${owner} = ${run} OR ${hasEnded(owner)})`

const LIVES = `(expires IS NULL OR expires > ${DATABASE_TIME})`

export interface PostgresStoreOptions {
  /** Optional; by default, the store ends the pool when it closes. */
  isShared?: boolean
  /** Optional; names the process: the store then reads, changes and removes only the entries that this process has written. */
  owner?: string
}

export class PostgresStore implements JournalStore {
  readonly #pool: Pool
  readonly #namespace: string
  readonly #options: PostgresStoreOptions
  #writes = 0

  constructor(pool: Pool, namespace: string, options: PostgresStoreOptions = {}) {
    this.#pool = pool
    this.#namespace = namespace
    this.#options = options
  }

  /** Makes the table where it is missing. The pool belongs to the store from now on, and ends with it. */
  static async open(pool: Pool, namespace: string): Promise<PostgresStore> {
    // An idle connection that the server closes would end the process otherwise; the pool makes a new one by itself.
    pool.on('error', () => {})
    await pool.query(JOURNAL_SCHEMA).catch(async (failure) => {
      await pool.end()
      throw failure
    })
    return new PostgresStore(pool, namespace)
  }

  async get(key: string): Promise<string | undefined> {
    const { rows } = await this.#pool.query<{ value: string }>(
      `SELECT value FROM countersign_journal WHERE key = $1 AND ${LIVES} AND ${this.#isOwn('$2')}`,
      [this.#place(key), this.#owner],
    )
    return rows[0]?.value
  }

  async set(key: string, text: string, ttlMs?: number): Promise<void> {
    await this.#write(this.#put(ttlMs), [this.#place(key), text, this.#owner])
  }

  async add(key: string, text: string, ttlMs?: number): Promise<boolean> {
    const sql = `${this.#put(ttlMs)} WHERE was.expires <= ${DATABASE_TIME}`
    return (await this.#write(sql, [this.#place(key), text, this.#owner])) > 0
  }

  async replace(key: string, expected: string, text: string, ttlMs?: number): Promise<boolean> {
    const sql = `UPDATE countersign_journal SET value = $1, expires = ${expiry(ttlMs)}
      WHERE key = $2 AND value = $3 AND ${this.#isOwn('$4')}`
    return (await this.#write(sql, [text, this.#place(key), expected, this.#owner])) > 0
  }

  /** Does what `replace` does, if the process `run` is not known to live: that is judged in the statement that writes. */
  async replaceOfEnded(key: string, expected: string, text: string, run: string): Promise<boolean> {
    const sql = `UPDATE countersign_journal SET value = $1, expires = NULL
      WHERE key = $2 AND value = $3 AND ${hasEnded('$4')}`
    return (await this.#write(sql, [text, this.#place(key), expected, run])) > 0
  }

  async delete(keys: readonly string[]): Promise<void> {
    const places = keys.map((key) => this.#place(key))
    await this.#pool.query(`DELETE FROM countersign_journal WHERE key = ANY($1) AND ${this.#isOwn('$2')}`, [
      places,
      this.#owner,
    ])
  }

  /** In pages, so that entries may be written and removed in the meantime. */
  async *entries(): AsyncGenerator<[key: string, text: string], void> {
    const [from, to] = rangeOf(this.#namespace)
    for (let last = from; ; ) {
      const { rows } = await this.#pool.query<{ key: string; value: string }>(
        `SELECT key, value FROM countersign_journal WHERE key > $1 AND key < $2 AND ${LIVES} AND ${this.#isOwn('$3')}
         ORDER BY key LIMIT ${PAGE}`,
        [last, to, this.#owner],
      )
      for (const { key, value } of rows) yield [keyAt(this.#namespace, key), value]
      if (rows.length < PAGE) return
      last = rows.at(-1)!.key
    }
  }

  /** Makes the entries of processes that have ended those of this one: of all callers, exactly one gets each. Returns how many. */
  async takeOver(): Promise<number> {
    const [from, to] = rangeOf(this.#namespace)
    return this.#write(
      `UPDATE countersign_journal SET owner = $1
        WHERE key >= $2 AND key < $3 AND owner IS DISTINCT FROM $1 AND ${hasEnded('owner')}`,
      [this.#owner, from, to],
    )
  }

  async close(): Promise<void> {
    if (!this.#options.isShared && !this.#pool.ending) await this.#pool.end()
  }

  get #owner(): string | null {
    return this.#options.owner ?? null
  }

  /** SQL for whether an entry is one that this store reads. A parameter is always used, or its type could not be known. */
  #isOwn(parameter: string): string {
    return `(${parameter}::text IS NULL OR owner = ${parameter})`
  }

  #place(key: string): string {
    return placeOf(this.#namespace, key)
  }

  #put(ttlMs: number | undefined): string {
    return `INSERT INTO countersign_journal AS was (key, value, owner, expires) VALUES ($1, $2, $3, ${expiry(ttlMs)})
      ON CONFLICT (key) DO UPDATE SET value = excluded.value, owner = excluded.owner, expires = excluded.expires`
  }

  async #write(sql: string, values: unknown[]): Promise<number> {
    if (++this.#writes % WRITES_PER_SWEEP === 0)
      await this.#pool.query(`DELETE FROM countersign_journal WHERE expires <= ${DATABASE_TIME}`)
    return (await this.#pool.query(sql, values)).rowCount ?? 0
  }
}

/** SQL for when an entry ends. */
const expiry = (ttlMs: number | undefined): string =>
  ttlMs === undefined ? 'NULL' : `${DATABASE_TIME} + ${Math.ceil(ttlMs)}`
