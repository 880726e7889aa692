/** Tasks of one sender: created, read, listed, and the outcome recorded. Nothing here can reach another organization's task. */
import type { Selectable } from 'kysely'
import type { Annotations } from '../../lib/contract/document.ts'
import type { Patient } from '../../lib/contract/patient.ts'
import type { Performer } from '../../lib/contract/performer.ts'
import type { TaskStatus } from '../../lib/contract/task.ts'
import type { Preparation } from '../../lib/pdf/preparation.ts'
import type { Actor } from '../domain/audit.ts'
import type { TaskState } from '../domain/task.ts'
import { bindings } from './bindings.ts'
import { inTransaction, openJson, type StoreContext, sealJson } from './context.ts'
import { documents } from './documents.ts'
import type { Schema } from './schema.ts'

/** What was sent, except the PDF. */
export interface TaskRequest {
  patient: Patient
  performer: Performer
  effectiveDate: string
  diagnosisCode: string | null
  annotations: Annotations
}

/** The free text of a task that reads and lists show. */
export interface TaskNotes {
  externalDocId: string
  statusReason: string | null
  externalSavedDocumentId: string | null
}

export interface TaskRecord extends TaskState, TaskNotes {
  isArchived: boolean
  isFiled: boolean
  createdAt: string
  updatedAt: string
}

export interface NewTask {
  request: TaskRequest
  externalDocId: string
  documentTypeId: number
  templateId: number | null
  /** As it was prepared: what the signer is shown. */
  pdf: Uint8Array
  sha256: string
  /** Of the PDF as it was sent, hexadecimal. */
  receivedSha256: string
  preparations: readonly Preparation[]
}

export interface TaskFilter {
  externalSavedDocumentIds?: readonly string[] | undefined
  externalDocId?: string | undefined
  isArchived?: boolean | undefined
  isFiled?: boolean | undefined
  status?: TaskStatus | undefined
  before?: number | undefined
  limit: number
}

/** Sealed before the id is known, the row is bound to its task by a second write in the same transaction. */
const UNBOUND = new Uint8Array()

/** The columns of a task that reads and lists need: no request, no fields, no document. */
export const recordColumns = [
  'id',
  'organization_id',
  'status',
  'document_id',
  'is_archived',
  'is_filed',
  'sealed_notes',
  'created_at',
  'updated_at',
] as const
export type RecordRow = Pick<Selectable<Schema['task']>, (typeof recordColumns)[number]>

export function recordOf(context: StoreContext, row: RecordRow): TaskRecord {
  return {
    id: row.id,
    status: row.status,
    documentId: row.document_id,
    isArchived: row.is_archived === 1,
    isFiled: row.is_filed === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...openJson<TaskNotes>(context, row.sealed_notes, bindings.taskNotes(row.id)),
  }
}

/** Keyed digests of the sender's ids, under which tasks are found again. */
export const senderIndexes = ({ cipher }: StoreContext, organizationId: number) => ({
  externalDoc: (value: string) => cipher.index(value, `externalDocId/${organizationId}`),
  savedDocument: (value: string) => cipher.index(value, `externalSavedDocumentId/${organizationId}`),
})

export function tasks(context: StoreContext, organizationId: number, by: Actor) {
  const { db } = context
  const index = senderIndexes(context, organizationId)
  const mine = () => db.selectFrom('task').select(recordColumns).where('organization_id', '=', organizationId)

  return {
    /** Writes the task and its document; both are on disk when this returns. */
    async create(task: NewTask, at: Date): Promise<TaskRecord> {
      const now = at.toISOString()
      const notes: TaskNotes = {
        externalDocId: task.externalDocId,
        statusReason: null,
        externalSavedDocumentId: null,
      }
      const row = await inTransaction(context, async (inside) => {
        const { id } = await inside.db
          .insertInto('task')
          .values({
            organization_id: organizationId,
            status: 'Received',
            document_id: null,
            document_type_id: task.documentTypeId,
            template_id: task.templateId,
            signer_npi: task.request.performer.signer.userNPI,
            patient_id: null,
            routed_to: null,
            external_doc_index: index.externalDoc(task.externalDocId),
            saved_document_index: null,
            is_archived: 0,
            is_filed: 0,
            received_sha256: task.receivedSha256,
            preparations: JSON.stringify(task.preparations),
            sealed_request: UNBOUND,
            sealed_notes: UNBOUND,
            sealed_fields: null,
            ingest_at: now,
            ingest_attempts: 0,
            sealed_review: null,
            created_at: now,
            updated_at: now,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        await documents(inside).insert(id, 'received', task.pdf, task.sha256, at)
        inside.note({ action: 'task.create', by, at, organizationId, taskId: id })
        return inside.db
          .updateTable('task')
          .set({
            sealed_request: sealJson(context, task.request, bindings.taskRequest(id)),
            sealed_notes: sealJson(context, notes, bindings.taskNotes(id)),
          })
          .where('id', '=', id)
          .returning(recordColumns)
          .executeTakeFirstOrThrow()
      })
      context.announce('task')
      return recordOf(context, row)
    },

    async find(taskId: number): Promise<TaskRecord | null> {
      const row = await mine().where('id', '=', taskId).executeTakeFirst()
      return row ? recordOf(context, row) : null
    },

    /** Newest first. */
    async list(filter: TaskFilter): Promise<TaskRecord[]> {
      if (filter.externalSavedDocumentIds?.length === 0) return []
      let found = mine()
      if (filter.externalSavedDocumentIds !== undefined)
        found = found.where('saved_document_index', 'in', filter.externalSavedDocumentIds.map(index.savedDocument))
      if (filter.externalDocId !== undefined)
        found = found.where('external_doc_index', '=', index.externalDoc(filter.externalDocId))
      if (filter.isArchived !== undefined) found = found.where('is_archived', '=', filter.isArchived ? 1 : 0)
      if (filter.isFiled !== undefined) found = found.where('is_filed', '=', filter.isFiled ? 1 : 0)
      if (filter.status !== undefined) found = found.where('status', '=', filter.status)
      if (filter.before !== undefined) found = found.where('id', '<', filter.before)
      return (await found.orderBy('id', 'desc').limit(filter.limit).execute()).map((row) => recordOf(context, row))
    },

    /** The signed PDF of a task of this sender, or null. That it was read is noted before it is handed out. */
    signedPdf: (taskId: number, at: Date): Promise<Buffer | null> =>
      inTransaction(context, async (inside) => {
        const owned = inside.db.selectFrom('task').select('id').where('organization_id', '=', organizationId)
        if (!(await owned.where('id', '=', taskId).executeTakeFirst())) return null
        const signed = await documents(inside).find(taskId, 'signed')
        if (signed) inside.note({ action: 'document.read', by, at, organizationId, taskId })
        return signed?.pdf ?? null
      }),
  }
}
