/** Adds the number of requests that each key of a sender made on each day. */
import { type Kysely, sql } from 'kysely'

export async function keyUse(db: Kysely<never>): Promise<void> {
  await sql`
    CREATE TABLE key_use (
      key_id text NOT NULL,
      day text NOT NULL,
      requests bigint NOT NULL,
      PRIMARY KEY (key_id, day)
    )`.execute(db)
}
