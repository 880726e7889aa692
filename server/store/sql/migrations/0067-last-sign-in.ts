/** Adds when each person signed in the last time; null until they do so again. */
import { type Kysely, sql } from 'kysely'

export async function lastSignIn(db: Kysely<never>): Promise<void> {
  await sql`ALTER TABLE person ADD COLUMN last_sign_in_at text`.execute(db)
}
