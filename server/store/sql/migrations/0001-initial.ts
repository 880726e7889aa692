/** The first schema. Migrations are never changed after a release; a later one adds to it. */
import { type Kysely, sql } from 'kysely'
import { FIRST_DOCUMENT_ID, FIRST_TASK_ID } from '../../../choices.ts'
import type { Flavour } from '../flavour.ts'

export async function initial(db: Kysely<never>, { serial, blob, startAt }: Flavour): Promise<void> {
  const create = async (table: string, columns: readonly string[]) => {
    await sql.raw(`CREATE TABLE ${table} (\n  ${columns.join(',\n  ')}\n)`).execute(db)
  }
  const index = async (name: string, on: string) => {
    await sql.raw(`CREATE INDEX ${name} ON ${on}`).execute(db)
  }

  await create('organization', [
    `id ${serial}`,
    'name text NOT NULL UNIQUE',
    'npi text',
    'addresses text NOT NULL',
    'ingestion_enabled integer NOT NULL',
    'created_at text NOT NULL',
  ])
  await create('api_key', [
    'key_id text PRIMARY KEY',
    'organization_id integer NOT NULL REFERENCES organization (id)',
    'mode text NOT NULL',
    'digest text NOT NULL',
    'last4 text NOT NULL',
    'description text NOT NULL',
    'created_at text NOT NULL',
    'expires_at text',
    'revoked_at text',
    'last_used_at text',
  ])
  await create('provider', [
    'npi text PRIMARY KEY',
    'first_name text NOT NULL',
    'last_name text NOT NULL',
    'signing_name text NOT NULL',
    'is_active integer NOT NULL',
    'script text',
  ])
  await create('provider_organization', [
    'npi text NOT NULL REFERENCES provider (npi)',
    'organization_id integer NOT NULL REFERENCES organization (id)',
    'position integer NOT NULL',
    'is_active integer NOT NULL',
    'PRIMARY KEY (npi, organization_id)',
  ])
  await create('document_type', [`id ${serial}`, 'name text NOT NULL', 'category text NOT NULL'])
  await create('template', [
    `id ${serial}`,
    'organization_id integer NOT NULL REFERENCES organization (id)',
    'summary text NOT NULL',
    'clinical_date_label text NOT NULL',
    'diagnosis_code_allowed integer NOT NULL',
    'diagnosis_code_required integer NOT NULL',
    'pdf_required integer NOT NULL',
    'is_custom integer NOT NULL',
    'days_before integer',
    'days_after integer',
    'fields text NOT NULL',
  ])
  await create('patient', [
    `id ${serial}`,
    'organization_id integer NOT NULL REFERENCES organization (id)',
    'external_id_index text NOT NULL',
    'demographic_index text NOT NULL',
    `sealed ${blob} NOT NULL`,
    'created_at text NOT NULL',
    'updated_at text NOT NULL',
    'UNIQUE (organization_id, external_id_index)',
  ])
  await index('patient_demographic', 'patient (organization_id, demographic_index)')
  await create('task', [
    `id ${serial}`,
    'organization_id integer NOT NULL REFERENCES organization (id)',
    'status text NOT NULL',
    'document_id integer',
    'document_type_id integer NOT NULL',
    'template_id integer',
    'signer_npi text NOT NULL',
    'patient_id integer REFERENCES patient (id)',
    'routed_to integer REFERENCES organization (id)',
    'external_doc_index text NOT NULL',
    'saved_document_index text',
    'is_archived integer NOT NULL',
    'is_filed integer NOT NULL',
    `sealed_request ${blob} NOT NULL`,
    `sealed_notes ${blob} NOT NULL`,
    `sealed_fields ${blob}`,
    'ingest_at text',
    'ingest_attempts integer NOT NULL',
    `sealed_review ${blob}`,
    'created_at text NOT NULL',
    'updated_at text NOT NULL',
  ])
  await index('task_of_organization', 'task (organization_id, id)')
  await index('task_external_doc', 'task (organization_id, external_doc_index)')
  await index('task_saved_document', 'task (organization_id, saved_document_index)')
  await index('task_to_ingest', 'task (ingest_at) WHERE ingest_at IS NOT NULL')
  await index('task_of_signer', 'task (signer_npi, status, id)')
  await create('document', [
    'task_id integer NOT NULL REFERENCES task (id)',
    'kind text NOT NULL',
    `sealed ${blob} NOT NULL`,
    'sha256 text NOT NULL',
    'bytes integer NOT NULL',
    'created_at text NOT NULL',
    'PRIMARY KEY (task_id, kind)',
  ])
  await create('inbox_request', [
    `id ${serial}`,
    'task_id integer NOT NULL UNIQUE REFERENCES task (id)',
    'created_at text NOT NULL',
  ])
  await create('saved_document', [
    'organization_id integer NOT NULL REFERENCES organization (id)',
    'saved_index text NOT NULL',
    'task_id integer NOT NULL REFERENCES task (id)',
    'recorded_at text NOT NULL',
    'PRIMARY KEY (organization_id, saved_index)',
  ])
  await create('subscription', [
    `id ${serial}`,
    'organization_id integer NOT NULL REFERENCES organization (id)',
    'url text NOT NULL',
    'description text',
    `sealed_secret ${blob} NOT NULL`,
    'is_active integer NOT NULL',
    'created_at text NOT NULL',
    'updated_at text NOT NULL',
    'deleted_at text',
  ])
  await index('subscription_of_organization', 'subscription (organization_id)')
  await create('event', [
    `sequence ${serial}`,
    'event_id text NOT NULL UNIQUE',
    'organization_id integer NOT NULL REFERENCES organization (id)',
    'task_id integer NOT NULL REFERENCES task (id)',
    'status text NOT NULL',
    `sealed_body ${blob} NOT NULL`,
    'occurred_at text NOT NULL',
    'is_fanned_out integer NOT NULL',
  ])
  await index('event_to_fan_out', 'event (sequence) WHERE is_fanned_out = 0')
  await index('event_of_task', 'event (task_id, sequence)')
  await create('delivery', [
    `id ${serial}`,
    'event_id text NOT NULL REFERENCES event (event_id)',
    'organization_id integer NOT NULL REFERENCES organization (id)',
    'subscription_id integer NOT NULL REFERENCES subscription (id)',
    'state text NOT NULL',
    'attempts integer NOT NULL',
    'due_at text NOT NULL',
    'created_at text NOT NULL',
    'updated_at text NOT NULL',
    'UNIQUE (event_id, subscription_id)',
  ])
  await index('delivery_due', "delivery (due_at) WHERE state = 'waiting'")
  await index('delivery_of_subscription', 'delivery (subscription_id, state)')
  await create('attempt', [
    'delivery_id integer NOT NULL REFERENCES delivery (id)',
    'number integer NOT NULL',
    'trigger text NOT NULL',
    'started_at text NOT NULL',
    'duration_ms integer NOT NULL',
    'status integer',
    'outcome text NOT NULL',
    'PRIMARY KEY (delivery_id, number)',
  ])
  await create('keepsake', ['name text PRIMARY KEY', `sealed ${blob} NOT NULL`, 'created_at text NOT NULL'])

  await startAt(db, 'task', FIRST_TASK_ID)
  await startAt(db, 'inbox_request', FIRST_DOCUMENT_ID)
}
