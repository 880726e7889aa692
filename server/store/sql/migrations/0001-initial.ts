/** The first schema. Migrations are never changed after a release; a later one adds to it. */
import { type Kysely, sql } from 'kysely'
import { FIRST_DOCUMENT_ID, FIRST_TASK_ID } from '../../../choices.ts'
import type { Flavour } from '../flavour.ts'
import { people } from './0001-people.ts'
import { countWork } from './kept-counts.ts'

export async function initial(db: Kysely<never>, flavour: Flavour): Promise<void> {
  const statements = [directory, people, patients, tasks, deliveries, notices, service].flatMap((part) => part(flavour))
  for (const statement of statements) await sql.raw(statement).execute(db)
  await countWork(db, flavour)
  await flavour.startAt(db, 'task', FIRST_TASK_ID)
  await flavour.startAt(db, 'inbox_request', FIRST_DOCUMENT_ID)
  // Of an expression, the planners know nothing before it was looked at.
  for (const table of ['task', 'delivery']) await sql.raw(`ANALYZE ${table}`).execute(db)
}

/** Senders with their keys, and those who sign for them. */
const directory = ({ serial, blob }: Flavour): string[] => [
  `CREATE TABLE organization (
    id ${serial},
    name text NOT NULL UNIQUE,
    npi text UNIQUE,
    addresses text NOT NULL,
    ingestion_enabled integer NOT NULL,
    is_active integer NOT NULL DEFAULT 1,
    time_zone text,
    documents text NOT NULL DEFAULT 'auto',
    javascript text NOT NULL DEFAULT 'strip',
    open_action text NOT NULL DEFAULT 'strip',
    embedded_files text NOT NULL DEFAULT 'strip',
    covers_tokens integer NOT NULL DEFAULT 1,
    signature_rule text NOT NULL DEFAULT 'atEnd',
    allows_delegation integer NOT NULL DEFAULT 0,
    created_at text NOT NULL,
    mac text NOT NULL
  )`,
  `CREATE TABLE api_key (
    key_id text PRIMARY KEY,
    organization_id integer NOT NULL REFERENCES organization (id),
    mode text NOT NULL,
    digest text NOT NULL,
    last4 text NOT NULL,
    description text NOT NULL,
    person_name text,
    created_at text NOT NULL,
    expires_at text,
    revoked_at text,
    last_used_at text,
    mac text NOT NULL
  )`,
  'CREATE TABLE key_rate (key_id text PRIMARY KEY, remaining double precision NOT NULL, at text NOT NULL)',
  `CREATE TABLE key_use (
    key_id text NOT NULL,
    day text NOT NULL,
    requests bigint NOT NULL,
    PRIMARY KEY (key_id, day)
  )`,
  `CREATE TABLE operator_key (
    key_id text PRIMARY KEY,
    organization_id integer REFERENCES organization (id),
    mode text NOT NULL,
    digest text NOT NULL,
    last4 text NOT NULL,
    description text NOT NULL,
    scopes text NOT NULL DEFAULT '',
    created_at text NOT NULL,
    expires_at text,
    revoked_at text,
    last_used_at text,
    mac text NOT NULL
  )`,
  `CREATE TABLE provider (
    npi text PRIMARY KEY,
    first_name text NOT NULL,
    last_name text NOT NULL,
    signing_name text NOT NULL,
    is_active integer NOT NULL,
    script text,
    mac text NOT NULL
  )`,
  `CREATE TABLE provider_organization (
    npi text NOT NULL REFERENCES provider (npi),
    organization_id integer NOT NULL REFERENCES organization (id),
    position integer NOT NULL,
    is_active integer NOT NULL,
    mac text NOT NULL,
    PRIMARY KEY (npi, organization_id)
  )`,
  `CREATE TABLE saved_signature (
    npi text PRIMARY KEY REFERENCES provider (npi),
    sealed ${blob} NOT NULL,
    updated_at text NOT NULL
  )`,
  `CREATE TABLE delegation (
    id ${serial},
    organization_id integer NOT NULL REFERENCES organization (id),
    signer_npi text NOT NULL REFERENCES provider (npi),
    delegate_npi text NOT NULL REFERENCES provider (npi),
    starts_at text NOT NULL,
    ends_at text NOT NULL,
    created_at text NOT NULL,
    ended_at text,
    mac text NOT NULL
  )`,
  'CREATE INDEX delegation_of_signer ON delegation (signer_npi) WHERE ended_at IS NULL',
  'CREATE INDEX delegation_of_delegate ON delegation (delegate_npi) WHERE ended_at IS NULL',
  `CREATE TABLE document_type (id ${serial}, name text NOT NULL, category text NOT NULL)`,
  `CREATE TABLE template (
    id ${serial},
    organization_id integer NOT NULL REFERENCES organization (id),
    sealed ${blob} NOT NULL,
    diagnosis_code_allowed integer NOT NULL,
    diagnosis_code_required integer NOT NULL,
    pdf_required integer NOT NULL,
    is_custom integer NOT NULL,
    days_before integer,
    days_after integer,
    signature_rule text,
    covers_tokens integer,
    retired_at text
  )`,
  `CREATE TABLE template_sample (template_id integer PRIMARY KEY REFERENCES template (id), sealed ${blob} NOT NULL)`,
]

/** Patients by keyed digests. An alias is a further id of a sender, kept once a person decided that it is the same patient. */
const patients = ({ serial, blob }: Flavour): string[] => [
  `CREATE TABLE patient (
    id ${serial},
    organization_id integer NOT NULL REFERENCES organization (id),
    external_id_index text NOT NULL,
    demographic_index text NOT NULL,
    sealed ${blob} NOT NULL,
    created_at text NOT NULL,
    updated_at text NOT NULL,
    UNIQUE (organization_id, external_id_index)
  )`,
  'CREATE INDEX patient_demographic ON patient (organization_id, demographic_index)',
  'CREATE INDEX patient_by_age ON patient (updated_at)',
  `CREATE TABLE patient_alias (
    organization_id integer NOT NULL REFERENCES organization (id),
    external_id_index text NOT NULL,
    patient_id integer NOT NULL REFERENCES patient (id),
    PRIMARY KEY (organization_id, external_id_index)
  )`,
]

/**
 * Tasks with their documents. Lists have an index for every filter and pair of filters, because a flag alone omits too little to look
 * through the rest. The indexes of lists end in `id + 0`, the order of filtered lists (see `newestFirst`): PostgreSQL would rather
 * go through the whole table by its primary key than use one that ends in `id`.
 */
const tasks = ({ serial, blob }: Flavour): string[] => [
  `CREATE TABLE task (
    id ${serial},
    organization_id integer NOT NULL REFERENCES organization (id),
    status text NOT NULL,
    document_id integer,
    document_type_id integer NOT NULL,
    template_id integer,
    signer_npi text NOT NULL,
    patient_id integer REFERENCES patient (id),
    routed_to integer REFERENCES organization (id),
    external_doc_index text NOT NULL,
    saved_document_index text,
    is_archived integer NOT NULL,
    is_filed integer NOT NULL,
    received_sha256 text NOT NULL DEFAULT '',
    preparations text NOT NULL DEFAULT '[]',
    signature_rule text NOT NULL DEFAULT 'atEnd',
    sealed_request ${blob} NOT NULL,
    sealed_notes ${blob} NOT NULL,
    sealed_fields ${blob},
    sealed_review ${blob},
    sealed_decision ${blob},
    ingest_at text,
    ingest_attempts integer NOT NULL,
    created_at text NOT NULL,
    updated_at text NOT NULL,
    contents_removed_at text
  )`,
  'CREATE INDEX task_of_organization ON task (organization_id, (id + 0))',
  'CREATE INDEX task_status ON task (organization_id, status, (id + 0))',
  'CREATE INDEX task_archived ON task (organization_id, is_archived, (id + 0))',
  'CREATE INDEX task_filed ON task (organization_id, is_filed, (id + 0))',
  'CREATE INDEX task_archived_filed ON task (organization_id, is_archived, is_filed, (id + 0))',
  'CREATE INDEX task_status_archived ON task (organization_id, status, is_archived, (id + 0))',
  'CREATE INDEX task_status_filed ON task (organization_id, status, is_filed, (id + 0))',
  'CREATE INDEX task_status_archived_filed ON task (organization_id, status, is_archived, is_filed, (id + 0))',
  'CREATE INDEX task_external_doc ON task (organization_id, external_doc_index, (id + 0))',
  'CREATE INDEX task_saved_document ON task (organization_id, saved_document_index)',
  'CREATE INDEX task_review ON task (organization_id, (id + 0)) WHERE sealed_review IS NOT NULL',
  'CREATE INDEX task_ingesting ON task (organization_id) WHERE ingest_at IS NOT NULL',
  'CREATE INDEX task_status_of_all ON task (status, (id + 0))',
  'CREATE INDEX task_review_of_all ON task ((id + 0)) WHERE sealed_review IS NOT NULL',
  'CREATE INDEX task_signer ON task (signer_npi, (id + 0))',
  'CREATE INDEX task_type ON task (document_type_id, (id + 0))',
  'CREATE INDEX task_created ON task (created_at, id)',
  'CREATE INDEX task_recorded ON task ((CASE WHEN saved_document_index IS NULL THEN 0 ELSE 1 END), (id + 0))',
  'CREATE INDEX task_of_signer ON task (signer_npi, status, document_id)',
  'CREATE INDEX task_of_patient ON task (patient_id) WHERE patient_id IS NOT NULL',
  'CREATE INDEX task_to_ingest ON task (ingest_at) WHERE ingest_at IS NOT NULL',
  'CREATE INDEX task_ingesting_since ON task (created_at) WHERE ingest_at IS NOT NULL',
  'CREATE INDEX task_with_contents ON task (status, updated_at, id) WHERE contents_removed_at IS NULL',
  // The terms by which the console finds tasks: keyed digests of the family names and birth dates of their patients.
  `CREATE TABLE task_term (
    term text NOT NULL,
    task_id integer NOT NULL REFERENCES task (id),
    PRIMARY KEY (term, task_id)
  )`,
  'CREATE INDEX task_term_of_task ON task_term (task_id)',
  // The content index is a keyed digest of what a document was signed with: a signature that is sent again, because its answer was lost, is
  // known by it. The object is the name in a bucket of a document that is kept there.
  `CREATE TABLE document (
    task_id integer NOT NULL REFERENCES task (id),
    kind text NOT NULL,
    sealed ${blob} NOT NULL,
    sha256 text NOT NULL,
    bytes integer NOT NULL,
    content_index text,
    object text,
    created_at text NOT NULL,
    PRIMARY KEY (task_id, kind)
  )`,
  'CREATE UNIQUE INDEX document_object ON document (object) WHERE object IS NOT NULL',
  'CREATE TABLE unnamed_object (name text PRIMARY KEY, due_at text NOT NULL, is_doomed integer NOT NULL)',
  'CREATE INDEX unnamed_object_due ON unnamed_object (due_at)',
  `CREATE TABLE inbox_request (
    id ${serial},
    task_id integer NOT NULL UNIQUE REFERENCES task (id),
    created_at text NOT NULL,
    shown_at text
  )`,
  `CREATE TABLE saved_document (
    organization_id integer NOT NULL REFERENCES organization (id),
    saved_index text NOT NULL,
    task_id integer NOT NULL REFERENCES task (id),
    recorded_at text NOT NULL,
    PRIMARY KEY (organization_id, saved_index)
  )`,
]

/** Events of tasks, and how each gets to the receivers of its organization. */
const deliveries = ({ serial, blob }: Flavour): string[] => [
  `CREATE TABLE subscription (
    id ${serial},
    organization_id integer NOT NULL REFERENCES organization (id),
    sealed_url ${blob} NOT NULL,
    sealed_description ${blob},
    sealed_secret ${blob} NOT NULL,
    sealed_next_secret ${blob},
    next_secret_at text,
    is_active integer NOT NULL,
    finding text,
    created_at text NOT NULL,
    updated_at text NOT NULL,
    deleted_at text,
    mac text NOT NULL
  )`,
  'CREATE INDEX subscription_of_organization ON subscription (organization_id)',
  // The signer whose act the event tells of, and the delegate who acted for them; null for all other events.
  `CREATE TABLE event (
    sequence ${serial},
    event_id text NOT NULL UNIQUE,
    organization_id integer NOT NULL REFERENCES organization (id),
    task_id integer NOT NULL REFERENCES task (id),
    status text NOT NULL,
    signer_npi text,
    delegate_npi text,
    sealed_body ${blob} NOT NULL,
    occurred_at text NOT NULL,
    is_fanned_out integer NOT NULL
  )`,
  'CREATE INDEX event_to_fan_out ON event (sequence) WHERE is_fanned_out = 0',
  'CREATE INDEX event_of_task ON event (task_id, sequence)',
  'CREATE INDEX event_of_signer ON event (signer_npi, sequence) WHERE signer_npi IS NOT NULL',
  'CREATE INDEX event_of_delegate ON event (delegate_npi, sequence) WHERE delegate_npi IS NOT NULL',
  `CREATE TABLE delivery (
    id ${serial},
    event_id text NOT NULL REFERENCES event (event_id),
    organization_id integer NOT NULL REFERENCES organization (id),
    subscription_id integer NOT NULL REFERENCES subscription (id),
    state text NOT NULL,
    attempts integer NOT NULL,
    due_at text NOT NULL,
    lease text,
    round_start integer NOT NULL DEFAULT 0,
    round_at text NOT NULL,
    next_trigger text NOT NULL DEFAULT 'scheduled',
    created_at text NOT NULL,
    updated_at text NOT NULL,
    mac text NOT NULL,
    UNIQUE (event_id, subscription_id)
  )`,
  // An index for each lane: a queue of ten thousand retries is not looked through to find a first attempt.
  `CREATE INDEX delivery_first ON delivery (subscription_id, due_at) WHERE state = 'waiting' AND attempts = 0`,
  `CREATE INDEX delivery_retry ON delivery (subscription_id, due_at) WHERE state = 'waiting' AND attempts > 0`,
  `CREATE INDEX delivery_manual ON delivery (subscription_id, due_at) WHERE state = 'waiting' AND next_trigger = 'manual'`,
  // It begins with the state, which is the same in all of it: SQLite, before it knows how the values are spread, would rather read and sort
  // all that waits by an index of the state than use one that knows its order alone.
  "CREATE INDEX delivery_round ON delivery (state, round_at) WHERE state = 'waiting'",
  'CREATE INDEX delivery_created ON delivery (created_at, id)',
  'CREATE INDEX delivery_state ON delivery (state, (id + 0))',
  'CREATE INDEX delivery_of_organization ON delivery (organization_id, (id + 0))',
  'CREATE INDEX delivery_of_organization_state ON delivery (organization_id, state, (id + 0))',
  'CREATE INDEX delivery_of_subscription ON delivery (subscription_id, (id + 0))',
  'CREATE INDEX delivery_of_subscription_state ON delivery (subscription_id, state, (id + 0))',
  `CREATE TABLE attempt (
    delivery_id integer NOT NULL REFERENCES delivery (id),
    number integer NOT NULL,
    trigger text NOT NULL,
    scheduled_at text,
    started_at text NOT NULL,
    duration_ms integer NOT NULL,
    connect_ms integer,
    first_byte_ms integer,
    answer_bytes integer NOT NULL DEFAULT 0,
    answer text,
    status integer,
    outcome text NOT NULL,
    next_at text,
    PRIMARY KEY (delivery_id, number)
  )`,
  'CREATE INDEX attempt_started ON attempt (started_at)',
]

/** E-mail notices to signers: their settings, and the e-mails that are owed. */
const notices = (): string[] => [
  `CREATE TABLE notice_setting (
    npi text PRIMARY KEY REFERENCES provider (npi),
    mode text NOT NULL,
    hour integer NOT NULL,
    time_zone text NOT NULL,
    address text,
    unconfirmed text,
    entered_at text,
    code_digest text,
    code_ends_at text,
    code_tries integer NOT NULL,
    off_key text NOT NULL UNIQUE,
    updated_at text NOT NULL
  )`,
  `CREATE TABLE owed_notice (
    npi text NOT NULL REFERENCES notice_setting (npi),
    kind text NOT NULL,
    due_at text NOT NULL,
    version integer NOT NULL,
    failures integer NOT NULL,
    PRIMARY KEY (npi, kind)
  )`,
  'CREATE INDEX owed_notice_due ON owed_notice (due_at)',
]

/** The service itself: its audit log, its secrets, and the instances that run. */
const service = ({ blob }: Flavour): string[] => [
  `CREATE TABLE audit (
    sequence integer PRIMARY KEY,
    at text NOT NULL,
    actor text NOT NULL,
    actor_id text,
    action text NOT NULL,
    outcome text NOT NULL,
    organization_id integer,
    task_id integer,
    subject text,
    request_id text,
    ip text,
    hash text NOT NULL,
    written text
  )`,
  'CREATE INDEX audit_of_task ON audit (task_id, sequence)',
  'CREATE INDEX audit_action ON audit (action, sequence)',
  'CREATE INDEX audit_actor ON audit (actor_id, (sequence + 0))',
  'CREATE INDEX audit_task ON audit (task_id) WHERE task_id IS NOT NULL',
  `CREATE TABLE keepsake (name text PRIMARY KEY, sealed ${blob} NOT NULL, created_at text NOT NULL)`,
  `CREATE TABLE instance (
    id text PRIMARY KEY,
    name text NOT NULL,
    version text NOT NULL,
    since text NOT NULL,
    seen_at text NOT NULL,
    workers text NOT NULL
  )`,
  // A write to it shows that the database can be written; it stays empty.
  'CREATE TABLE probe (name text PRIMARY KEY)',
]
