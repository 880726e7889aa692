/** Indexes for every filter and pair of filters that lists offer, in the order of the list, so that a page is read and nothing else. */
import { type Kysely, sql } from 'kysely'

export async function flatLists(db: Kysely<never>): Promise<void> {
  for (const statement of [...signerHistory, ...tasksOfSenders, ...tasksOfAll, ...tasksOfSigners, ...deliveries])
    await sql.raw(statement).execute(db)
}

/** The signer whose act the event tells of; null for all other events. */
const signerHistory = [
  'ALTER TABLE event ADD COLUMN signer_npi text',
  `UPDATE event SET signer_npi = (SELECT signer_npi FROM task WHERE task.id = event.task_id)
    WHERE status IN ('Completed', 'Rejected')`,
  'CREATE INDEX event_of_signer ON event (signer_npi, sequence) WHERE signer_npi IS NOT NULL',
]

/** A flag alone omits too little to look through the rest, so each set of filters has an index of its own. */
const tasksOfSenders = [
  'CREATE INDEX task_status ON task (organization_id, status, id)',
  'CREATE INDEX task_archived ON task (organization_id, is_archived, id)',
  'CREATE INDEX task_filed ON task (organization_id, is_filed, id)',
  'CREATE INDEX task_archived_filed ON task (organization_id, is_archived, is_filed, id)',
  'CREATE INDEX task_status_archived ON task (organization_id, status, is_archived, id)',
  'CREATE INDEX task_status_filed ON task (organization_id, status, is_filed, id)',
  'CREATE INDEX task_status_archived_filed ON task (organization_id, status, is_archived, is_filed, id)',
  'DROP INDEX task_external_doc',
  'CREATE INDEX task_external_doc ON task (organization_id, external_doc_index, id)',
  'CREATE INDEX task_ingesting ON task (organization_id) WHERE ingest_at IS NOT NULL',
  'CREATE INDEX task_review ON task (organization_id, id) WHERE sealed_review IS NOT NULL',
]

const tasksOfAll = [
  'CREATE INDEX task_status_of_all ON task (status, id)',
  'CREATE INDEX task_review_of_all ON task (id) WHERE sealed_review IS NOT NULL',
]

const tasksOfSigners = [
  'DROP INDEX task_of_signer',
  'CREATE INDEX task_of_signer ON task (signer_npi, status, document_id)',
]

const deliveries = [
  'DROP INDEX delivery_of_subscription',
  'CREATE INDEX delivery_of_subscription ON delivery (subscription_id, id)',
  'CREATE INDEX delivery_of_subscription_state ON delivery (subscription_id, state, id)',
  'CREATE INDEX delivery_of_organization ON delivery (organization_id, id)',
  'CREATE INDEX delivery_of_organization_state ON delivery (organization_id, state, id)',
  'CREATE INDEX delivery_state ON delivery (state, id)',
  'CREATE INDEX delivery_created ON delivery (created_at, id)',
  "CREATE INDEX delivery_round ON delivery (round_at) WHERE state = 'waiting'",
]
