/** The properties by which a message tells the outcome of a task. */
import type { Task } from '../../../lib/contract/task/task.ts'

/** @param place of the service that the task is at. @param task the record as read; undefined when there is none */
export function outcomeProperties(place: string | undefined, taskId: number, status: string, task: Task | undefined) {
  const { statusReason = null, documentId = null, externalDocId } = task ?? {}
  return { signatureService: place, taskId, status, statusReason, documentId, ...(externalDocId && { externalDocId }) }
}
