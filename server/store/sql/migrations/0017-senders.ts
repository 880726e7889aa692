/** Adds the owners of keys and the state of organizations. Archived tasks leave the history of their signer. */
import { type Kysely, sql } from 'kysely'

export async function senders(db: Kysely<never>): Promise<void> {
  for (const statement of [
    'ALTER TABLE api_key ADD COLUMN person_name text',
    'ALTER TABLE organization ADD COLUMN is_active integer NOT NULL DEFAULT 1',
    'UPDATE event SET signer_npi = NULL WHERE task_id IN (SELECT id FROM task WHERE is_archived = 1)',
  ])
    await sql.raw(statement).execute(db)
}
