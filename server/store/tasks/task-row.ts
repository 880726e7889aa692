/** A row of the table of tasks, and what it says when it is opened. */
import type { Selectable } from 'kysely'
import type { Annotations } from '../../../lib/contract/task/document.ts'
import type { Patient } from '../../../lib/contract/task/patient.ts'
import type { Performer } from '../../../lib/contract/task/performer.ts'
import type { EarlyPlacement } from '../../../lib/pdf/placement/early-placement.ts'
import type { Field } from '../../../lib/pdf/placement/placement.ts'
import { type SignaturePlace, signaturePlace } from '../../domain/task/signature-place.ts'
import type { TaskState } from '../../domain/task/task.ts'
import type { StoreContext } from '../context.ts'
import { bindings } from '../sealing/bindings.ts'
import type { Sealed } from '../sealing/cipher.ts'
import { openJson } from '../sealing/sealed-json.ts'
import type { Schema } from '../sql/schema.ts'

/** What was sent, except the PDF, and what was found out about it then. */
export interface TaskRequest {
  patient: Patient
  performer: Performer
  effectiveDate: string
  diagnosisCode: string | null
  annotations: Annotations
  /** Where its fields stand, if that was found out when the document was accepted. */
  placedEarly?: EarlyPlacement | null
}

/** The free text of a task that reads and lists show. */
export interface TaskTexts {
  externalDocId: string
  statusReason: string | null
  externalSavedDocumentId: string | null
}

export interface StoredTask extends TaskState, TaskTexts {
  createdAt: string
  updatedAt: string
}

/** The columns that reads, lists and decisions need: no request, no fields, no document. */
export const taskColumns = [
  'id',
  'organizationId',
  'signerNpi',
  'status',
  'documentId',
  'isArchived',
  'isFiled',
  'sealedNotes',
  'createdAt',
  'updatedAt',
] as const
export type TaskRow = Pick<Selectable<Schema['task']>, (typeof taskColumns)[number]>

export function taskOf(context: StoreContext, row: TaskRow): StoredTask {
  return {
    id: row.id,
    status: row.status,
    documentId: row.documentId,
    isArchived: row.isArchived === 1,
    isFiled: row.isFiled === 1,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    ...textsOf(context, row),
  }
}

export const textsOf = (context: StoreContext, { id, sealedNotes }: Pick<TaskRow, 'id' | 'sealedNotes'>): TaskTexts =>
  openJson<TaskTexts>(context, sealedNotes, bindings.taskTexts(id))

export const requestOf = (context: StoreContext, { id, sealedRequest }: { id: number; sealedRequest: Sealed }) =>
  openJson<TaskRequest>(context, sealedRequest, bindings.taskRequest(id))

/** Where the fields of the document stand; none before they are placed. */
export const fieldsOf = (context: StoreContext, { id, sealedFields }: { id: number; sealedFields: Sealed | null }) =>
  sealedFields === null ? [] : openJson<Field[]>(context, sealedFields, bindings.taskFields(id))

/** The same of a task that was presented, with where its signature goes. */
export function placedOf(
  context: StoreContext,
  row: Pick<Selectable<Schema['task']>, 'id' | 'sealedFields' | 'signatureRule'>,
): { fields: Field[]; signaturePlace: SignaturePlace } {
  const fields = fieldsOf(context, row)
  return { fields, signaturePlace: signaturePlace(fields, row.signatureRule) ?? 'certificatePage' }
}

/** Keyed digests of the sender's ids, under which tasks are found again. */
export const senderIndexes = ({ cipher }: StoreContext, organizationId: number) => ({
  externalDoc: (value: string) => cipher.index(value, `externalDocId/${organizationId}`),
  savedDocument: (value: string) => cipher.index(value, `externalSavedDocumentId/${organizationId}`),
})
