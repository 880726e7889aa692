/** A task as a sender reads it. spec: Resources › Task read record */
import type { Task } from '../../../lib/contract/task/task.ts'
import type { StoredTask } from '../../store/tasks/task-row.ts'

/** `signedPdf` is given when it was asked for and the task is Completed. */
export const taskOnTheWire = (task: StoredTask, signedPdf: Uint8Array | null = null): Task => ({
  taskId: task.id,
  status: task.status,
  statusReason: task.statusReason,
  documentId: task.documentId,
  externalDocId: task.externalDocId,
  output: {
    ...(signedPdf && { attachment: Buffer.from(signedPdf).toString('base64') }),
    statusReason: task.statusReason,
    externalSavedDocumentId: task.externalSavedDocumentId,
    isArchived: task.isArchived,
    isFiled: task.isFiled,
  },
  createdAt: task.createdAt,
  updatedAt: task.updatedAt,
})
