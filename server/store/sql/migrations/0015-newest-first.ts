/**
 * Indexes of lists end in `id + 0`, the order of filtered lists (see `newestFirst`), where they ended in `id`: PostgreSQL would
 * rather go through the whole table by its primary key than use those. Tasks that retention has to look at are found by status.
 */
import { type Kysely, sql } from 'kysely'

export async function newestFirst(db: Kysely<never>): Promise<void> {
  for (const [name, on] of Object.entries(indexes)) {
    await sql.raw(`DROP INDEX IF EXISTS ${name}`).execute(db)
    await sql.raw(`CREATE INDEX ${name} ON ${on}`).execute(db)
  }
  // Of an expression, the planners know nothing before it was looked at.
  for (const table of ['task', 'delivery']) await sql.raw(`ANALYZE ${table}`).execute(db)
}

const indexes: Readonly<Record<string, string>> = {
  task_status_of_all: 'task (status, (id + 0))',
  task_review_of_all: 'task ((id + 0)) WHERE sealed_review IS NOT NULL',
  task_of_organization: 'task (organization_id, (id + 0))',
  task_status: 'task (organization_id, status, (id + 0))',
  task_archived: 'task (organization_id, is_archived, (id + 0))',
  task_filed: 'task (organization_id, is_filed, (id + 0))',
  task_archived_filed: 'task (organization_id, is_archived, is_filed, (id + 0))',
  task_status_archived: 'task (organization_id, status, is_archived, (id + 0))',
  task_status_filed: 'task (organization_id, status, is_filed, (id + 0))',
  task_status_archived_filed: 'task (organization_id, status, is_archived, is_filed, (id + 0))',
  task_external_doc: 'task (organization_id, external_doc_index, (id + 0))',
  task_review: 'task (organization_id, (id + 0)) WHERE sealed_review IS NOT NULL',
  task_ingesting_since: 'task (created_at) WHERE ingest_at IS NOT NULL',
  task_with_contents: 'task (status, updated_at, id) WHERE contents_removed_at IS NULL',
  delivery_state: 'delivery (state, (id + 0))',
  delivery_of_organization: 'delivery (organization_id, (id + 0))',
  delivery_of_organization_state: 'delivery (organization_id, state, (id + 0))',
  delivery_of_subscription: 'delivery (subscription_id, (id + 0))',
  delivery_of_subscription_state: 'delivery (subscription_id, state, (id + 0))',
}
