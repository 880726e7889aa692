/** What an operator key may do beyond looking after tasks: nothing that lets others in, unless it is said when the key is made. */
import { type Kysely, sql } from 'kysely'

export async function operatorKeyScopes(db: Kysely<never>): Promise<void> {
  await sql.raw(`ALTER TABLE operator_key ADD COLUMN scopes text NOT NULL DEFAULT ''`).execute(db)
}
