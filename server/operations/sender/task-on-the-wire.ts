/** A task as a sender reads it. spec: Resources › Task read record */

import type { DocumentPreparation, Task } from '../../../lib/contract/task/task.ts'
import { isDrawnBecause, preparationSentences } from '../../../lib/pdf/prepare/preparation.ts'
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
    preparation: preparationOf(task),
  },
  createdAt: task.createdAt,
  updatedAt: task.updatedAt,
})

function preparationOf({ preparations, receivedSha256 }: StoredTask): DocumentPreparation {
  const because = preparations.find(isDrawnBecause)
  if (!because) return { kind: 'plain', reason: null, receivedSha256 }
  return { kind: 'drawn', reason: preparationSentences[because], receivedSha256 }
}
