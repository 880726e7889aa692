/** When the document and the patient of a finished task were removed, and indexes to find those that are to be. */
import { type Kysely, sql } from 'kysely'

export async function retention(db: Kysely<never>): Promise<void> {
  for (const statement of [
    'ALTER TABLE task ADD COLUMN contents_removed_at text',
    'CREATE INDEX task_with_contents ON task (updated_at) WHERE contents_removed_at IS NULL',
    'CREATE INDEX task_of_patient ON task (patient_id) WHERE patient_id IS NOT NULL',
    'CREATE INDEX patient_by_age ON patient (updated_at)',
  ])
    await sql.raw(statement).execute(db)
}
