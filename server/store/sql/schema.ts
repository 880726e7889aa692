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
    ingestionEnabled: Flag
    /** What is done with active content in the documents that the organization sends. */
    javascript: Generated<Treatment>
    openAction: Generated<Treatment>
    embeddedFiles: Generated<Treatment>
    createdAt: string
  }
  apiKey: {
    keyId: string
    organizationId: number
    mode: 'test' | 'live'
    /** SHA-256 of the whole key, hexadecimal. */
    digest: string
    last4: string
    description: string
    createdAt: string
    expiresAt: string | null
    revokedAt: string | null
    lastUsedAt: string | null
  }
  /** As `apiKey`, for the operator's interface; without an organization it is an operator's. */
  operatorKey: {
    keyId: string
    organizationId: number | null
    mode: 'test' | 'live'
    digest: string
    last4: string
    description: string
    createdAt: string
    expiresAt: string | null
    revokedAt: string | null
    lastUsedAt: string | null
  }
  provider: {
    npi: string
    firstName: string
    lastName: string
    signingName: string
    isActive: Flag
    /** JSON: what a demo signer does by itself; null for a person. */
    script: string | null
  }
  /** Position 0 is the primary organization. */
  providerOrganization: { npi: string; organizationId: number; position: number; isActive: Flag }
  documentType: { id: Generated<number>; name: string; category: string }
  template: {
    id: Generated<number>
    organizationId: number
    /** JSON: TemplateTexts, all that people wrote. */
    sealed: Sealed
    diagnosisCodeAllowed: Flag
    diagnosisCodeRequired: Flag
    pdfRequired: Flag
    isCustom: Flag
    daysBefore: number | null
    daysAfter: number | null
    /** Since when no new task may use it; null while it is offered. */
    retiredAt: string | null
  }
  patient: {
    id: Generated<number>
    organizationId: number
    externalIdIndex: string
    demographicIndex: string
    /** JSON: Patient */
    sealed: Sealed
    createdAt: string
    updatedAt: string
  }
  /** A further id of a patient, as a person decided in a review. */
  patientAlias: { organizationId: number; externalIdIndex: string; patientId: number }
  task: {
    id: Generated<number>
    organizationId: number
    /** Set at one place alone, changes.ts. */
    status: ColumnType<TaskStatus, TaskStatus, never>
    documentId: number | null
    documentTypeId: number
    templateId: number | null
    signerNpi: string
    patientId: number | null
    /** The signer's organization that received the task. */
    routedTo: number | null
    externalDocIndex: string
    savedDocumentIndex: string | null
    isArchived: Flag
    isFiled: Flag
    /** Of the PDF as it was sent, hexadecimal; the document that is kept is the one that was prepared from it. */
    receivedSha256: string
    /** JSON: Preparation[] */
    preparations: string
    /** JSON: TaskRequest, what was sent except the PDF. */
    sealedRequest: Sealed
    /** JSON: TaskTexts, the free text that reads and lists show. */
    sealedNotes: Sealed
    /** JSON: Field[], once placed. */
    sealedFields: Sealed | null
    /** When ingestion is due, or when the lease of the running one ends; null when nothing is left to do. */
    ingestAt: string | null
    ingestAttempts: number
    /** Sealed reason and candidates of a manual review; null when none is open. */
    sealedReview: Sealed | null
    createdAt: string
    updatedAt: string
  }
  /** Apart from the task, so that no list ever loads a PDF. What was received is kept as it was prepared and is shown. */
  document: {
    taskId: number
    kind: DocumentKind
    sealed: Sealed
    sha256: string
    bytes: number
    createdAt: string
  }
  inboxRequest: { id: Generated<number>; taskId: number; createdAt: string }
  /** Every saved-document id that an organization ever used: each is good for one time. */
  savedDocument: { organizationId: number; savedIndex: string; taskId: number; recordedAt: string }
  subscription: {
    id: Generated<number>
    organizationId: number
    /** Its maker may have put a token into it. */
    sealedUrl: Sealed
    sealedDescription: Sealed | null
    sealedSecret: Sealed
    isActive: Flag
    createdAt: string
    updatedAt: string
    deletedAt: string | null
  }
  /** The outbox. The body is kept as the bytes that are sent, never built twice. */
  event: {
    eventId: string
    sequence: Generated<number>
    organizationId: number
    taskId: number
    status: TaskStatus
    sealedBody: Sealed
    occurredAt: string
    isFannedOut: Flag
  }
  delivery: {
    id: Generated<number>
    eventId: string
    organizationId: number
    subscriptionId: number
    state: DeliveryState
    /** Attempts that ended, in all rounds. */
    attempts: number
    /** When the next attempt is due, or when the lease of the running one ends. */
    dueAt: string
    /** Who makes an attempt just now, until `dueAt`; null while none is under way. */
    lease: string | null
    /** Attempts that were made before this round. A redelivery begins a round, and with it the schedule, anew. */
    roundStart: Generated<number>
    roundAt: string
    nextTrigger: Generated<AttemptTrigger>
    createdAt: string
    updatedAt: string
  }
  attempt: {
    deliveryId: number
    number: number
    trigger: AttemptTrigger
    scheduledAt: string | null
    startedAt: string
    durationMs: number
    /** Until the connection stood; null when it never did or stood already. */
    connectMs: number | null
    firstByteMs: number | null
    /** Status the receiver answered with; null when none came. */
    status: number | null
    outcome: AttemptOutcome
    /** How long the answer was, as far as it was read. The answer itself is not kept: it may repeat what was sent. */
    answerBytes: Generated<number>
    nextAt: string | null
  }
  /** Each row's hash covers the hash of the row before it. Rows are only ever added. */
  audit: {
    sequence: number
    at: string
    actor: ActorKind
    actorId: string | null
    action: AuditAction
    outcome: AuditOutcome
    organizationId: number | null
    taskId: number | null
    subject: string | null
    requestId: string | null
    ip: string | null
    hash: string
  }
  /** What is to be done once to the database itself, after its schema has changed. */
  chore: { name: 'scrub' }
  /** Secrets of the service itself, by name. */
  keepsake: { name: string; sealed: Sealed; createdAt: string }
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
    organizationId: number | null
    /** As made by scrypt; null when nobody can sign in with a password, as with the people of the demo. */
    passwordHash: string | null
    createdAt: string
  }
  session: {
    /** SHA-256 of the session id, hexadecimal. */
    digest: string
    personId: number
    seenAt: string
    expiresAt: string
  }
  /** PNG that a signer drew and chose to keep. */
  savedSignature: { npi: string; sealed: Sealed; updatedAt: string }
}

export type DeliveryState = 'waiting' | 'delivered' | 'failed' | 'cancelled'
export type AttemptTrigger = 'scheduled' | 'manual'
export type AttemptOutcome = 'delivered' | 'http' | 'timeout' | 'connection' | 'dns' | 'tls' | 'blocked_target'
export type PersonRole = 'signer' | 'administrator' | 'operator'
