/** Adds each organization's rule for documents that are not plain; by default they are drawn. */
import { type Kysely, sql } from 'kysely'

export async function documents(db: Kysely<never>): Promise<void> {
  await sql.raw("ALTER TABLE organization ADD COLUMN documents text NOT NULL DEFAULT 'auto'").execute(db)
}
