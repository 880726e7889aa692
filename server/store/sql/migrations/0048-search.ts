/**
 * Adds the terms by which the console finds tasks: keyed digests of the family names and birth date of their patients, and
 * indexes for its filters. Existing tasks get their digests in the background: see `tasks/search-terms.ts`.
 */
import { type Kysely, sql } from 'kysely'

export async function search(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'CREATE TABLE task_term (term text NOT NULL, task_id integer NOT NULL REFERENCES task (id), PRIMARY KEY (term, task_id))',
  'CREATE INDEX task_term_of_task ON task_term (task_id)',
  'ALTER TABLE task ADD COLUMN is_searchable integer NOT NULL DEFAULT 0',
  'CREATE INDEX task_unsearchable ON task (id) WHERE is_searchable = 0',
  'CREATE INDEX task_created ON task (created_at, id)',
  'CREATE INDEX task_signer ON task (signer_npi, (id + 0))',
  'CREATE INDEX task_type ON task (document_type_id, (id + 0))',
  'CREATE INDEX task_recorded ON task ((CASE WHEN saved_document_index IS NULL THEN 0 ELSE 1 END), (id + 0))',
]
