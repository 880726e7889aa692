/** Adds the messages between instances on one store: that they are alive, how receivers are doing, and what keys have left. */
import { type Kysely, sql } from 'kysely'

export async function instances(db: Kysely<never>): Promise<void> {
  for (const statement of [
    `CREATE TABLE instance (
      id text PRIMARY KEY,
      name text NOT NULL,
      version text NOT NULL,
      since text NOT NULL,
      seen_at text NOT NULL,
      workers text NOT NULL
    )`,
    'ALTER TABLE subscription ADD COLUMN finding text',
    `CREATE TABLE key_rate (
      key_id text PRIMARY KEY,
      remaining double precision NOT NULL,
      at text NOT NULL
    )`,
  ])
    await sql.raw(statement).execute(db)
}
