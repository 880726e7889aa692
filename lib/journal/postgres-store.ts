/**
 * A Keyv adapter over PostgreSQL, for journals that several processes share. It decides in single statements, and a
 * connection that breaks fails the call under way and nothing else.
 */
import { EventEmitter } from 'node:events'
import type { KeyvStoreAdapter } from 'keyv'
import type { Pool } from 'pg'
import type { DecidingStore } from './journal.ts'
import { keysOf } from './keys-of.ts'

const WRITES_PER_SWEEP = 1000
const PAGE = 500

/** COLLATE "C" orders by bytes, which the range of a namespace relies on. The lock keeps two processes from making it at once. */
const SCHEMA = `
  BEGIN;
  SELECT pg_advisory_xact_lock(20260115);
  CREATE TABLE IF NOT EXISTS countersign_journal (key text COLLATE "C" PRIMARY KEY, value text NOT NULL, expires bigint);
  CREATE INDEX IF NOT EXISTS countersign_journal_expires ON countersign_journal (expires) WHERE expires IS NOT NULL;
  COMMIT`
const LIVES = '(expires IS NULL OR expires > $2)'
const PUT = `INSERT INTO countersign_journal AS was (key, value, expires) VALUES ($1, $2, $3)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires = excluded.expires`

export class PostgresStore extends EventEmitter implements KeyvStoreAdapter, DecidingStore {
  /** Keyv offers its iterator only to dialects that it knows. The URL holds a password and is not kept here. */
  readonly opts = { dialect: 'postgres', url: '' }
  namespace?: string | undefined
  readonly #pool: Pool
  readonly #now: () => number
  #writes = 0

  private constructor(pool: Pool, now: () => number) {
    super()
    this.#pool = pool
    this.#now = now
  }

  /** Makes the table where it is missing. */
  static async open(pool: Pool, now: () => number = Date.now): Promise<PostgresStore> {
    // An idle connection that the server closes would end the process otherwise; the pool makes a new one by itself.
    pool.on('error', () => {})
    await pool.query(SCHEMA).catch(async (failure) => {
      await pool.end()
      throw failure
    })
    return new PostgresStore(pool, now)
  }

  async get<Value>(key: string): Promise<Value | undefined> {
    const { rows } = await this.#pool.query(`SELECT value FROM countersign_journal WHERE key = $1 AND ${LIVES}`, [
      key,
      this.#now(),
    ])
    return rows[0]?.value
  }

  async getMany<Value>(keys: string[]): Promise<Array<Value | undefined>> {
    const { rows } = await this.#pool.query<{ key: string; value: Value }>(
      `SELECT key, value FROM countersign_journal WHERE key = ANY($1) AND ${LIVES}`,
      [keys, this.#now()],
    )
    const found = new Map(rows.map(({ key, value }) => [key, value]))
    return keys.map((key) => found.get(key))
  }

  async has(key: string): Promise<boolean> {
    return (await this.get(key)) !== undefined
  }

  async hasMany(keys: string[]): Promise<boolean[]> {
    return (await this.getMany(keys)).map((value) => value !== undefined)
  }

  async set(key: string, value: string, ttl?: number): Promise<boolean> {
    await this.#run(PUT, [key, value, this.#expiry(ttl)])
    if (++this.#writes % WRITES_PER_SWEEP === 0)
      await this.#run('DELETE FROM countersign_journal WHERE expires <= $1', [this.#now()])
    return true
  }

  async setMany(entries: Array<{ key: string; value: string; ttl?: number | undefined }>): Promise<void> {
    // Of a key that comes twice the last one counts; one statement may not touch a row twice.
    const last = [...new Map(entries.map((entry) => [entry.key, entry])).values()]
    await this.#run(
      `${PUT.replace('VALUES ($1, $2, $3)', 'SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[])')}`,
      [last.map(({ key }) => key), last.map(({ value }) => value), last.map(({ ttl }) => this.#expiry(ttl))],
    )
  }

  async add(key: string, value: string, ttl?: number): Promise<boolean> {
    const isNew = await this.#run(`${PUT} WHERE was.expires <= $4`, [key, value, this.#expiry(ttl), this.#now()])
    return isNew > 0
  }

  async replace(key: string, expected: string, value: string, ttl?: number): Promise<boolean> {
    const sql = 'UPDATE countersign_journal SET value = $1, expires = $2 WHERE key = $3 AND value = $4'
    return (await this.#run(sql, [value, this.#expiry(ttl), key, expected])) > 0
  }

  async delete(key: string): Promise<boolean> {
    return this.deleteMany([key])
  }

  async deleteMany(keys: string[]): Promise<boolean> {
    return (await this.#run('DELETE FROM countersign_journal WHERE key = ANY($1)', [keys])) > 0
  }

  async clear(): Promise<void> {
    await this.#run('DELETE FROM countersign_journal WHERE key >= $1 AND key < $2', keysOf(this.namespace))
  }

  /** In pages, so that entries may be written and removed while somebody walks through them. */
  async *iterator<Value>(namespace?: string): AsyncGenerator<Array<string | Awaited<Value> | undefined>, void> {
    const [from, to] = keysOf(namespace)
    for (let last = ''; ; ) {
      const { rows } = await this.#pool.query<{ key: string; value: Awaited<Value> }>(
        `SELECT key, value FROM countersign_journal WHERE key >= $1 AND ${LIVES} AND key < $3 AND key > $4
         ORDER BY key LIMIT ${PAGE}`,
        [from, this.#now(), to, last],
      )
      for (const { key, value } of rows) yield [key, value]
      if (rows.length < PAGE) return
      last = rows.at(-1)!.key
    }
  }

  async disconnect(): Promise<void> {
    if (!this.#pool.ending) await this.#pool.end()
  }

  async #run(sql: string, values: unknown[]): Promise<number> {
    return (await this.#pool.query(sql, values)).rowCount ?? 0
  }

  #expiry(ttl: number | undefined): number | null {
    return ttl === undefined ? null : this.#now() + Math.ceil(ttl)
  }
}
