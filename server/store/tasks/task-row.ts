/** A row of the table of tasks, and what it says when it is opened. */
import type { Selectable } from 'kysely'
import type { Annotations } from '../../../lib/contract/task/document.ts'
import type { Patient } from '../../../lib/contract/task/patient.ts'
import type { Performer } from '../../../lib/contract/task/performer.ts'
import type { TaskState } from '../../domain/task/task.ts'
import type { StoreContext } from '../context.ts'
import { bindings } from '../sealing/bindings.ts'
import { openJson } from '../sealing/sealed-json.ts'
import type { Schema } from '../sql/schema.ts'

/** What was sent, except the PDF. */
export interface TaskRequest {
  patient: Patient
  performer: Performer
  effectiveDate: string
  diagnosisCode: string | null
  annotations: Annotations
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
    ...openJson<TaskTexts>(context, row.sealedNotes, bindings.taskTexts(row.id)),
  }
}

/** Keyed digests of the sender's ids, under which tasks are found again. */
export const senderIndexes = ({ cipher }: StoreContext, organizationId: number) => ({
  externalDoc: (value: string) => cipher.index(value, `externalDocId/${organizationId}`),
  savedDocument: (value: string) => cipher.index(value, `externalSavedDocumentId/${organizationId}`),
})
