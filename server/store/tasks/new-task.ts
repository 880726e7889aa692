/** The only place that makes a row of the table of tasks. */
import { isDrawn, type Preparation } from '../../../lib/pdf/prepare/preparation.ts'
import { FIRST_STATUS } from '../../domain/task/task.ts'
import type { TransactionContext } from '../context.ts'
import { bindings, UNBOUND } from '../sealing/bindings.ts'
import { sealJson } from '../sealing/sealed-json.ts'
import { later } from '../sql/later.ts'
import { documentsInside, type LaidDown } from './documents.ts'
import { addTerms } from './search-terms.ts'
import { type StoredTask, sealTexts, senderIndexes, type TaskRequest, type TaskTexts } from './task-row.ts'

export interface NewTask {
  request: TaskRequest
  externalDocId: string
  documentTypeId: number
  templateId: number | null
  /** The PDF as it was prepared, which the signer is shown; as it was received where it is to be drawn. */
  pdf: Uint8Array
  sha256: string
  /** The digest of the PDF as it was sent, hexadecimal. */
  receivedSha256: string
  preparations: readonly Preparation[]
}

/** The row and its document, which was laid down before; ingestion is due at once. */
export async function insertTask(
  inside: TransactionContext,
  organizationId: number,
  task: NewTask,
  document: LaidDown,
  at: Date,
): Promise<StoredTask> {
  const now = at.toISOString()
  const decisive = {
    organizationId,
    signerNpi: task.request.performer.signer.userNPI,
    routedTo: null,
    status: FIRST_STATUS,
    documentId: null,
  }
  const { id } = await inside.db
    .insertInto('task')
    .values({
      ...decisive,
      documentTypeId: task.documentTypeId,
      templateId: task.templateId,
      patientId: null,
      externalDocIndex: senderIndexes(inside, organizationId).externalDoc(task.externalDocId),
      savedDocumentIndex: null,
      isArchived: 0,
      isFiled: 0,
      receivedSha256: task.receivedSha256,
      preparations: JSON.stringify(task.preparations),
      sealedRequest: UNBOUND,
      sealedNotes: UNBOUND,
      sealedFields: null,
      ingestAt: now,
      ingestAttempts: 0,
      sealedReview: null,
      sealedDecision: null,
      contentsRemovedAt: null,
      createdAt: now,
      updatedAt: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await documentsInside(inside).insert(id, isDrawn(task.preparations) ? 'original' : 'received', document, at)
  const texts: TaskTexts = {
    externalDocId: task.externalDocId,
    statusReason: null,
    externalSavedDocumentId: null,
  }
  const sealed = {
    sealedRequest: sealJson(inside, task.request, bindings.taskRequest(id)),
    sealedNotes: sealTexts(inside, { id, ...decisive }, texts, null),
  }
  await later(inside.db, inside.db.updateTable('task').set(sealed).where('id', '=', id))
  await addTerms(inside, { id, organizationId }, task.request.patient)
  const state = { id, status: FIRST_STATUS, documentId: null, isArchived: false, isFiled: false }
  const { preparations, receivedSha256 } = task
  return { ...state, ...texts, preparations, receivedSha256, createdAt: now, updatedAt: now }
}
