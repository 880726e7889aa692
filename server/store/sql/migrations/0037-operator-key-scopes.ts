/**
 * Adds the scopes of operator keys beyond looking after tasks: none that give access to others, unless stated when the key is
 * made.
 */
import { type Kysely, sql } from 'kysely'

export async function operatorKeyScopes(db: Kysely<never>): Promise<void> {
  await sql.raw(`ALTER TABLE operator_key ADD COLUMN scopes text NOT NULL DEFAULT ''`).execute(db)
}
