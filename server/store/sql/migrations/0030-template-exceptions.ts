/** What a template decides otherwise than its organization about signatures and tokens; templates until now follow it. */
import { type Kysely, sql } from 'kysely'

export async function templateExceptions(db: Kysely<never>): Promise<void> {
  for (const statement of [
    'ALTER TABLE template ADD COLUMN signature_rule text',
    'ALTER TABLE template ADD COLUMN covers_tokens integer',
  ])
    await sql.raw(statement).execute(db)
}
