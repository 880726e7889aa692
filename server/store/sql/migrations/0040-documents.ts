/** What each organization wants done with documents by whether they are plain; older ones have those drawn that are not. */
import { type Kysely, sql } from 'kysely'

export async function documents(db: Kysely<never>): Promise<void> {
  await sql.raw("ALTER TABLE organization ADD COLUMN documents text NOT NULL DEFAULT 'auto'").execute(db)
}
