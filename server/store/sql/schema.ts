/** The tables, as Kysely sees them. Times are ISO 8601 text in UTC, flags are 0 or 1, so that both databases hold the same. */
import type { ColumnType, Generated } from 'kysely'
import type { TaskStatus } from '../../../lib/contract/task/task.ts'
import type { Treatment } from '../../../lib/pdf/prepare/active-content.ts'
import type { ActorKind, AuditAction, AuditOutcome } from '../../domain/audit.ts'

/** Sealed by the cipher: readable only with the master key. */
type Sealed = Uint8Array
type Flag = 0 | 1

export type DocumentKind = 'received' | 'signed'

export interface Schema {
  organization: {
    id: Generated<number>
    name: string
    npi: string | null
    /** JSON: Address[] */
    addresses: string
    /** Whether the organization may send documents. spec: What the service does › Prerequisites */
    ingestion_enabled: Flag
    /** What is done with active content in the documents that the organization sends. */
    javascript: Generated<Treatment>
    open_action: Generated<Treatment>
    embedded_files: Generated<Treatment>
    created_at: string
  }
  api_key: {
    key_id: string
    organization_id: number
    mode: 'test' | 'live'
    /** SHA-256 of the whole key, hexadecimal. */
    digest: string
    last4: string
    description: string
    created_at: string
    expires_at: string | null
    revoked_at: string | null
    last_used_at: string | null
  }
  /** As `api_key`, for the operator's interface; without an organization it is an operator's. */
  operator_key: {
    key_id: string
    organization_id: number | null
    mode: 'test' | 'live'
    digest: string
    last4: string
    description: string
    created_at: string
    expires_at: string | null
    revoked_at: string | null
    last_used_at: string | null
  }
  provider: {
    npi: string
    first_name: string
    last_name: string
    signing_name: string
    is_active: Flag
    /** JSON: what a demo signer does by itself; null for a person. */
    script: string | null
  }
  /** Position 0 is the primary organization. */
  provider_organization: { npi: string; organization_id: number; position: number; is_active: Flag }
  document_type: { id: Generated<number>; name: string; category: string }
  template: {
    id: Generated<number>
    organization_id: number
    /** JSON: TemplateTexts, all that people wrote. */
    sealed: Sealed
    diagnosis_code_allowed: Flag
    diagnosis_code_required: Flag
    pdf_required: Flag
    is_custom: Flag
    days_before: number | null
    days_after: number | null
    /** Since when no new task may use it; null while it is offered. */
    retired_at: string | null
  }
  patient: {
    id: Generated<number>
    organization_id: number
    external_id_index: string
    demographic_index: string
    /** JSON: Patient */
    sealed: Sealed
    created_at: string
    updated_at: string
  }
  /** A further id of a patient, as a person decided in a review. */
  patient_alias: { organization_id: number; external_id_index: string; patient_id: number }
  task: {
    id: Generated<number>
    organization_id: number
    /** Set at one place alone, changes.ts. */
    status: ColumnType<TaskStatus, TaskStatus, never>
    document_id: number | null
    document_type_id: number
    template_id: number | null
    signer_npi: string
    patient_id: number | null
    /** The signer's organization that received the task. */
    routed_to: number | null
    external_doc_index: string
    saved_document_index: string | null
    is_archived: Flag
    is_filed: Flag
    /** Of the PDF as it was sent, hexadecimal; the document that is kept is the one that was prepared from it. */
    received_sha256: string
    /** JSON: Preparation[] */
    preparations: string
    /** JSON: TaskRequest, what was sent except the PDF. */
    sealed_request: Sealed
    /** JSON: TaskTexts, the free text that reads and lists show. */
    sealed_notes: Sealed
    /** JSON: Field[], once placed. */
    sealed_fields: Sealed | null
    /** When ingestion is due, or when the lease of the running one ends; null when nothing is left to do. */
    ingest_at: string | null
    ingest_attempts: number
    /** Sealed reason and candidates of a manual review; null when none is open. */
    sealed_review: Sealed | null
    created_at: string
    updated_at: string
  }
  /** Apart from the task, so that no list ever loads a PDF. What was received is kept as it was prepared and is shown. */
  document: {
    task_id: number
    kind: DocumentKind
    sealed: Sealed
    sha256: string
    bytes: number
    created_at: string
  }
  inbox_request: { id: Generated<number>; task_id: number; created_at: string }
  /** Every saved-document id that an organization ever used: each is good for one time. */
  saved_document: { organization_id: number; saved_index: string; task_id: number; recorded_at: string }
  subscription: {
    id: Generated<number>
    organization_id: number
    /** Its maker may have put a token into it. */
    sealed_url: Sealed
    sealed_description: Sealed | null
    sealed_secret: Sealed
    is_active: Flag
    created_at: string
    updated_at: string
    deleted_at: string | null
  }
  /** The outbox. The body is kept as the bytes that are sent, never built twice. */
  event: {
    event_id: string
    sequence: Generated<number>
    organization_id: number
    task_id: number
    status: TaskStatus
    sealed_body: Sealed
    occurred_at: string
    is_fanned_out: Flag
  }
  delivery: {
    id: Generated<number>
    event_id: string
    organization_id: number
    subscription_id: number
    state: DeliveryState
    /** Attempts that ended, in all rounds. */
    attempts: number
    /** When the next attempt is due, or when the lease of the running one ends. */
    due_at: string
    /** Who makes an attempt just now, until `due_at`; null while none is under way. */
    lease: string | null
    /** Attempts that were made before this round. A redelivery begins a round, and with it the schedule, anew. */
    round_start: Generated<number>
    round_at: string
    next_trigger: Generated<AttemptTrigger>
    created_at: string
    updated_at: string
  }
  attempt: {
    delivery_id: number
    number: number
    trigger: AttemptTrigger
    scheduled_at: string | null
    started_at: string
    duration_ms: number
    /** Until the connection stood; null when it never did or stood already. */
    connect_ms: number | null
    first_byte_ms: number | null
    /** Status the receiver answered with; null when none came. */
    status: number | null
    outcome: AttemptOutcome
    /** How long the answer was, as far as it was read. The answer itself is not kept: it may repeat what was sent. */
    answer_bytes: Generated<number>
    next_at: string | null
  }
  /** Each row's hash covers the hash of the row before it. Rows are only ever added. */
  audit: {
    sequence: number
    at: string
    actor: ActorKind
    actor_id: string | null
    action: AuditAction
    outcome: AuditOutcome
    organization_id: number | null
    task_id: number | null
    subject: string | null
    request_id: string | null
    ip: string | null
    hash: string
  }
  /** What is to be done once to the database itself, after its schema has changed. */
  chore: { name: 'scrub' }
  /** Secrets of the service itself, by name. */
  keepsake: { name: string; sealed: Sealed; created_at: string }
  /** Who may sign in to the pages. */
  person: {
    id: Generated<number>
    /** In lower case. */
    email: string
    name: string
    role: PersonRole
    /** Of a signer: the provider who signs. */
    npi: string | null
    /** Of an administrator: the organization that is administered. */
    organization_id: number | null
    /** As made by scrypt; null when nobody can sign in with a password, as with the people of the demo. */
    password_hash: string | null
    created_at: string
  }
  session: {
    /** SHA-256 of the session id, hexadecimal. */
    digest: string
    person_id: number
    seen_at: string
    expires_at: string
  }
  /** PNG that a signer drew and chose to keep. */
  saved_signature: { npi: string; sealed: Sealed; updated_at: string }
}

export type DeliveryState = 'waiting' | 'delivered' | 'failed' | 'cancelled'
export type AttemptTrigger = 'scheduled' | 'manual'
export type AttemptOutcome = 'delivered' | 'http' | 'timeout' | 'connection' | 'dns' | 'tls' | 'blocked_target'
export type PersonRole = 'signer' | 'administrator' | 'operator'
