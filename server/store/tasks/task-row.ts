/** A row of the table of tasks, and what it says when it is opened. */
import type { Selectable } from 'kysely'
import type { Annotations } from '../../../lib/contract/task/document.ts'
import type { Patient } from '../../../lib/contract/task/patient.ts'
import type { Performer } from '../../../lib/contract/task/performer.ts'
import type { EarlyPlacement } from '../../../lib/pdf/placement/early-placement.ts'
import type { Field } from '../../../lib/pdf/placement/placement.ts'
import type { Preparation } from '../../../lib/pdf/prepare/preparation.ts'
import { type SignaturePlace, signaturePlace } from '../../domain/task/signature-place.ts'
import type { TaskState } from '../../domain/task/task.ts'
import type { StoreContext } from '../context.ts'
import { bindings } from '../sealing/bindings.ts'
import type { Sealed } from '../sealing/cipher.ts'
import { openJson, sealJson } from '../sealing/sealed-json.ts'
import type { Schema } from '../sql/schema.ts'

/** The request as it was sent, except the PDF, and the facts found about it then. */
export interface TaskRequest {
  patient: Patient
  performer: Performer
  effectiveDate: string
  diagnosisCode: string | null
  annotations: Annotations
  /** Where its fields are, if that was found out when the document was accepted. */
  placedEarly?: EarlyPlacement | null
}

/** The free text of a task that reads and lists show. */
export interface TaskTexts {
  externalDocId: string
  statusReason: string | null
  externalSavedDocumentId: string | null
}

/** The texts as they are encrypted with a task. */
interface EncryptedTexts extends TaskTexts {
  /** The signer, or the delegate, who signed or rejected it on a page of the service; null where that has not happened. */
  actedBy: string | null
  /** The values of `decisiveColumns`, in this order. */
  decisive: readonly unknown[]
}

/**
 * The columns that decide who may see, sign, and record a task. Their values are encrypted with its texts, too, so that a task of which
 * one was changed without the master key is refused.
 */
export const decisiveColumns = ['organizationId', 'signerNpi', 'routedTo', 'status', 'documentId'] as const
export type Decisive = Pick<Selectable<Schema['task']>, (typeof decisiveColumns)[number]>

/** The same for a query in which the table of tasks has another name. */
export const decisiveOf = <T extends string>(task: T) =>
  decisiveColumns.map((name) => `${task}.${name}` as const) as `${T}.${keyof Decisive}`[]

export interface StoredTask extends TaskState, TaskTexts {
  preparations: readonly Preparation[]
  /** The digest of the document as it was received, hexadecimal. */
  receivedSha256: string
  createdAt: string
  updatedAt: string
}

/** The columns that reads, lists and decisions need: no request, no fields, no document. */
export const taskColumns = [
  'id',
  ...decisiveColumns,
  'isArchived',
  'isFiled',
  'receivedSha256',
  'preparations',
  'sealedNotes',
  'createdAt',
  'updatedAt',
] as const
export type TaskRow = Pick<Selectable<Schema['task']>, (typeof taskColumns)[number]>

/** Returns the task; null where `genuineTexts` does. */
export function taskOf(context: StoreContext, row: TaskRow): StoredTask | null {
  const texts = genuineTexts(context, row)
  if (!texts) return null
  const { externalDocId, statusReason, externalSavedDocumentId } = texts
  return {
    id: row.id,
    status: row.status,
    documentId: row.documentId,
    isArchived: row.isArchived === 1,
    isFiled: row.isFiled === 1,
    preparations: JSON.parse(row.preparations) as Preparation[],
    receivedSha256: row.receivedSha256,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    externalDocId,
    statusReason,
    externalSavedDocumentId,
  }
}

/** Encrypted columns that show whether a task is genuine. */
export type BoundRow = Pick<TaskRow, 'id' | 'sealedNotes'> & Decisive

/** Returns the texts of a task; null where a decisive column was changed without the master key, which is reported. */
export function genuineTexts(context: StoreContext, row: BoundRow): EncryptedTexts | null {
  const texts = openJson<EncryptedTexts>(context, row.sealedNotes, bindings.taskTexts(row.id))
  const isGenuine = texts.decisive.every((value, n) => value === row[decisiveColumns[n]!])
  if (isGenuine) return texts
  context.rows.report({ table: 'task', id: String(row.id) })
  return null
}

export const sealTexts = (
  context: Pick<StoreContext, 'cipher'>,
  { id, ...row }: { id: number } & Decisive,
  texts: TaskTexts,
  actedBy: EncryptedTexts['actedBy'],
): Buffer => {
  const decisive = decisiveColumns.map((name) => row[name])
  return sealJson(context, { ...texts, actedBy, decisive }, bindings.taskTexts(id))
}

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
