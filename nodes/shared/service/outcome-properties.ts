/** The properties by which a message tells the outcome of a task. */
import type { Task } from '../../../lib/contract/task/task.ts'

/** @param task the record as read; undefined when there is none */
export function outcomeProperties(taskId: number, status: string, task: Task | undefined) {
  const { statusReason = null, documentId = null, externalDocId } = task ?? {}
  return { taskId, status, statusReason, documentId, ...(externalDocId && { externalDocId }) }
}
