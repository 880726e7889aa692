/** The rows that a task leaves in the tables, as the service writes them. Pure, apart from sealing. */
import type { TaskStatus } from '../../../lib/contract/task/task.ts'
import { FIRST_DOCUMENT_ID, FIRST_TASK_ID } from '../../../server/choices.ts'
import type { DeliveryState } from '../../../server/domain/delivery/attempt.ts'
import { termsOf } from '../../../server/domain/task/search-words.ts'
import type { StoreContext } from '../../../server/store/context.ts'
import { bindings } from '../../../server/store/sealing/bindings.ts'
import { sealJson } from '../../../server/store/sealing/sealed-json.ts'
import { digestsOf } from '../../../server/store/tasks/search-terms.ts'
import { sealTexts, senderIndexes, type TaskRequest, type TaskTexts } from '../../../server/store/tasks/task-row.ts'

/** What a task has come to. */
export interface Kind {
  status: TaskStatus
  isArchived?: boolean
  isFiled?: boolean
  inReview?: boolean
}

export interface PlannedTask {
  /** From 0, in the order of creation. */
  n: number
  kind: Kind
  organizationId: number
  signerNpi: string
  deliveryState: DeliveryState
  /** Of the organization: the one with the same id where it is omitted. */
  subscriptionId?: number
  /** The first where it is omitted. */
  documentTypeId?: number
  /** ISO 8601; as `timeOf` says where it is omitted. */
  at?: string
  family?: string
}

export type Row = Readonly<Record<string, string | number | Buffer | null>>
/** A row with the table that it belongs to, as that stands in SQL. */
export type RowOfTable = readonly [table: string, row: Row]

export const timeOf = (n: number): string => new Date(Date.UTC(2025, 0, 1) + n * SECONDS_APART * 1000).toISOString()
export const externalDocId = (n: number): string => `DOC-${n}`
/** Of a thousand families, and of one day in each of seventy years. */
export const familyOf = (n: number): string => `Family${letters(n % 1000)}`
export const birthDateOf = (n: number): string => `${1930 + (n % 70)}-03-12`
const letters = (n: number) => [...String(n)].map((digit) => 'abcdefghij'[Number(digit)]).join('')
export const savedDocumentId = (n: number): string => `SAVED-${n}`

export function rowsOf(context: StoreContext, task: PlannedTask, sent: TaskRequest): RowOfTable[] {
  const { n, kind, organizationId, signerNpi } = task
  const names = sent.patient.names.map((name) => ({ ...name, family: task.family ?? familyOf(n) }))
  const request = { ...sent, patient: { ...sent.patient, names, birthDate: birthDateOf(n) } }
  const id = FIRST_TASK_ID + n
  const at = task.at ?? timeOf(n)
  const isPresented = !BEFORE_THE_INBOX.includes(kind.status)
  const isRecorded = Boolean(kind.isArchived || kind.isFiled)
  const index = senderIndexes(context, organizationId)
  const savedIndex = isRecorded ? index.savedDocument(savedDocumentId(n)) : null
  const texts: TaskTexts = {
    externalDocId: externalDocId(n),
    statusReason: null,
    externalSavedDocumentId: isRecorded ? savedDocumentId(n) : null,
  }
  const documentId = isPresented ? FIRST_DOCUMENT_ID + n : null
  const actedBy = isAct(kind.status) ? signerNpi : null
  const row: Row = {
    id,
    organization_id: organizationId,
    status: kind.status,
    document_id: documentId,
    document_type_id: task.documentTypeId ?? 1,
    template_id: null,
    signer_npi: signerNpi,
    patient_id: null,
    routed_to: null,
    external_doc_index: index.externalDoc(texts.externalDocId),
    saved_document_index: savedIndex,
    is_archived: Number(kind.isArchived ?? false),
    is_filed: Number(kind.isFiled ?? false),
    sealed_request: sealJson(context, request, bindings.taskRequest(id)),
    sealed_notes: sealTexts(
      context,
      { id, organizationId, signerNpi, routedTo: null, status: kind.status, documentId },
      texts,
      actedBy,
    ),
    sealed_fields: isPresented ? NEVER_OPENED : null,
    ingest_at: INGESTING.includes(kind.status) && !kind.inReview ? at : null,
    ingest_attempts: 0,
    sealed_review: kind.inReview ? NEVER_OPENED : null,
    created_at: at,
    updated_at: at,
    received_sha256: '0'.repeat(64),
  }
  const rows: RowOfTable[] = [['task', row]]
  for (const term of termsOf(request.patient).flatMap((term) => digestsOf(context, [organizationId], term)))
    rows.push(['task_term', { term, task_id: id }])
  if (isPresented) rows.push(['inbox_request', { id: FIRST_DOCUMENT_ID + n, task_id: id, created_at: at }])
  if (savedIndex !== null)
    rows.push([
      'saved_document',
      { organization_id: organizationId, saved_index: savedIndex, task_id: id, recorded_at: at },
    ])
  if (!INGESTING.includes(kind.status)) rows.push(...told(task, id, at))
  return rows
}

/** The event of the last change, and its delivery to the subscription of the organization. */
function told(
  { n, kind, organizationId, subscriptionId = organizationId, signerNpi, deliveryState }: PlannedTask,
  taskId: number,
  at: string,
): RowOfTable[] {
  const eventId = `event-${n}`
  const event: Row = {
    event_id: eventId,
    organization_id: organizationId,
    task_id: taskId,
    status: kind.status,
    sealed_body: NEVER_OPENED,
    occurred_at: at,
    is_fanned_out: 1,
    signer_npi: isAct(kind.status) ? signerNpi : null,
  }
  const delivery: Row = {
    event_id: eventId,
    organization_id: organizationId,
    subscription_id: subscriptionId,
    state: deliveryState,
    attempts: deliveryState === 'waiting' ? 0 : 1,
    due_at: at,
    lease: null,
    round_at: at,
    created_at: at,
    updated_at: at,
    mac: '',
  }
  return [
    ['event', event],
    ['delivery', delivery],
  ]
}

const isAct = (status: TaskStatus) => status === 'Completed' || status === 'Rejected'
const SECONDS_APART = 30
const INGESTING: readonly TaskStatus[] = ['Received', 'Processing']
const BEFORE_THE_INBOX: readonly TaskStatus[] = [...INGESTING, 'Failed']
/** Stands for sealed values that no list opens: no one but its own reader would notice. */
const NEVER_OPENED = Buffer.alloc(64)
