/** A keyed digest of what a document was signed with: a signature that is sent again, because its answer was lost, is known by it. */
import { type Kysely, sql } from 'kysely'

export async function signedContent(db: Kysely<never>): Promise<void> {
  await sql.raw('ALTER TABLE document ADD COLUMN content_index text').execute(db)
}
