/** A task as a sender reads it. spec: Resources › Task read record */
import type { Task } from '../../../lib/contract/task/task.ts'
import type { StoredTask } from '../../store/tasks/task-row.ts'

/** @param attachment the signed PDF as Base64, when it was asked for and the task is Completed */
export const taskOnTheWire = (task: StoredTask, attachment: string | null = null): Task => ({
  taskId: task.id,
  status: task.status,
  statusReason: task.statusReason,
  documentId: task.documentId,
  externalDocId: task.externalDocId,
  output: {
    ...(attachment !== null && { attachment }),
    statusReason: task.statusReason,
    externalSavedDocumentId: task.externalSavedDocumentId,
    isArchived: task.isArchived,
    isFiled: task.isFiled,
  },
  createdAt: task.createdAt,
  updatedAt: task.updatedAt,
})
