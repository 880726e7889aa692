/**
 * Adds a template's exceptions from its organization's rules about signatures and tokens; existing templates follow the rules.
 */
import { type Kysely, sql } from 'kysely'

export async function templateExceptions(db: Kysely<never>): Promise<void> {
  for (const statement of [
    'ALTER TABLE template ADD COLUMN signature_rule text',
    'ALTER TABLE template ADD COLUMN covers_tokens integer',
  ])
    await sql.raw(statement).execute(db)
}
