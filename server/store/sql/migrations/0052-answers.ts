/** Adds what may be shown of the answers of receivers to the log of attempts. */
import { type Kysely, sql } from 'kysely'

export async function answers(db: Kysely<never>): Promise<void> {
  await sql`ALTER TABLE attempt ADD COLUMN answer text`.execute(db)
}
