/**
 * The index of what waits begins with the state, which is the same in all of it: SQLite, before it knows how the values are
 * spread, would rather read and sort all that waits by an index of the state than use one that knows its order alone.
 */
import { type Kysely, sql } from 'kysely'

export async function oldestWaiting(db: Kysely<never>): Promise<void> {
  await sql.raw('DROP INDEX delivery_round').execute(db)
  await sql.raw("CREATE INDEX delivery_round ON delivery (state, round_at) WHERE state = 'waiting'").execute(db)
}
