/**
 * Adds the facts on certificate pages: where the signature goes, when the document was first shown, and how its signer was
 * identified.
 */
import { type Kysely, sql } from 'kysely'

export async function certificates(db: Kysely<never>): Promise<void> {
  for (const statement of [
    "ALTER TABLE organization ADD COLUMN signature_rule text NOT NULL DEFAULT 'atEnd'",
    "ALTER TABLE task ADD COLUMN signature_rule text NOT NULL DEFAULT 'atEnd'",
    'ALTER TABLE inbox_request ADD COLUMN shown_at text',
    'ALTER TABLE session ADD COLUMN means text',
  ])
    await sql.raw(statement).execute(db)
}
