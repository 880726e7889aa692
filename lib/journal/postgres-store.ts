/**
 * A journal in PostgreSQL, which several processes may share. It decides in single statements, and a connection that breaks
 * fails the call under way and nothing else.
 */
import type { Pool } from 'pg'
import type { JournalStore } from './journal-store.ts'
import { keyAt, placeOf, rangeOf } from './namespace.ts'

const WRITES_PER_SWEEP = 1000
const PAGE = 500

/** COLLATE "C" orders by bytes, which the range of a namespace needs. The lock keeps two processes from making it at once. */
const SCHEMA = `
  BEGIN;
  SELECT pg_advisory_xact_lock(20260115);
  CREATE TABLE IF NOT EXISTS countersign_journal (key text COLLATE "C" PRIMARY KEY, value text NOT NULL, expires bigint);
  CREATE INDEX IF NOT EXISTS countersign_journal_expires ON countersign_journal (expires) WHERE expires IS NOT NULL;
  COMMIT`
const LIVES = '(expires IS NULL OR expires > $2)'
const PUT = `INSERT INTO countersign_journal AS was (key, value, expires) VALUES ($1, $2, $3)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires = excluded.expires`

export class PostgresStore implements JournalStore {
  readonly #pool: Pool
  readonly #namespace: string
  readonly #now: () => number
  #writes = 0

  private constructor(pool: Pool, namespace: string, now: () => number) {
    this.#pool = pool
    this.#namespace = namespace
    this.#now = now
  }

  /** Makes the table where it is missing. The pool belongs to the store from now on, and ends with it. */
  static async open(pool: Pool, namespace: string, now: () => number = Date.now): Promise<PostgresStore> {
    // An idle connection that the server closes would end the process otherwise; the pool makes a new one by itself.
    pool.on('error', () => {})
    await pool.query(SCHEMA).catch(async (failure) => {
      await pool.end()
      throw failure
    })
    return new PostgresStore(pool, namespace, now)
  }

  async get(key: string): Promise<string | undefined> {
    const { rows } = await this.#pool.query<{ value: string }>(
      `SELECT value FROM countersign_journal WHERE key = $1 AND ${LIVES}`,
      [this.#place(key), this.#now()],
    )
    return rows[0]?.value
  }

  async set(key: string, text: string, ttlMs?: number): Promise<void> {
    await this.#write(PUT, [this.#place(key), text, this.#expiry(ttlMs)])
  }

  async add(key: string, text: string, ttlMs?: number): Promise<boolean> {
    const sql = `${PUT} WHERE was.expires <= $4`
    return (await this.#write(sql, [this.#place(key), text, this.#expiry(ttlMs), this.#now()])) > 0
  }

  async replace(key: string, expected: string, text: string, ttlMs?: number): Promise<boolean> {
    const sql = 'UPDATE countersign_journal SET value = $1, expires = $2 WHERE key = $3 AND value = $4'
    return (await this.#write(sql, [text, this.#expiry(ttlMs), this.#place(key), expected])) > 0
  }

  async delete(keys: readonly string[]): Promise<void> {
    const places = keys.map((key) => this.#place(key))
    await this.#pool.query('DELETE FROM countersign_journal WHERE key = ANY($1)', [places])
  }

  /** In pages, so that entries may be written and removed in the meantime. */
  async *entries(): AsyncGenerator<[key: string, text: string], void> {
    const [from, to] = rangeOf(this.#namespace)
    for (let last = ''; ; ) {
      const { rows } = await this.#pool.query<{ key: string; value: string }>(
        `SELECT key, value FROM countersign_journal WHERE key >= $1 AND ${LIVES} AND key < $3 AND key > $4
         ORDER BY key LIMIT ${PAGE}`,
        [from, this.#now(), to, last],
      )
      for (const { key, value } of rows) yield [keyAt(this.#namespace, key), value]
      if (rows.length < PAGE) return
      last = rows.at(-1)!.key
    }
  }

  async close(): Promise<void> {
    if (!this.#pool.ending) await this.#pool.end()
  }

  #place(key: string): string {
    return placeOf(this.#namespace, key)
  }

  #expiry(ttlMs: number | undefined): number | null {
    return ttlMs === undefined ? null : this.#now() + Math.ceil(ttlMs)
  }

  async #write(sql: string, values: unknown[]): Promise<number> {
    if (++this.#writes % WRITES_PER_SWEEP === 0)
      await this.#pool.query('DELETE FROM countersign_journal WHERE expires <= $1', [this.#now()])
    return (await this.#pool.query(sql, values)).rowCount ?? 0
  }
}
