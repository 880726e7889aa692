/** The properties by which a message tells the outcome of a task. */
import type { Task } from '../../../lib/contract/task/task.ts'
import type { Message } from '../runtime/node-red.ts'
import type { ServiceNode } from './connection.ts'

/**
 * Returns the properties. `occurredAtUtc` is the time of the event that reported the status, and undefined where no event came: the
 * task alone does not say it, because its `updatedAt` moves with each later change.
 * @param task the record as read; undefined when there is none
 */
export function outcomeProperties(service: ServiceNode | null, taskId: number, status: string, task: Task | undefined) {
  const { statusReason = null, documentId = null, externalDocId } = task ?? {}
  return {
    signatureService: service?.place,
    taskId,
    status,
    statusReason,
    documentId,
    occurredAtUtc: service?.eventTimes.of(taskId, status),
    ...(externalDocId && { externalDocId }),
  }
}

/** Returns `occurredAtUtc` of a message that is about a task in this status; undefined when it is the time of another status. */
export const timeOfStatus = (message: Message, service: ServiceNode, taskId: number, status: string): unknown =>
  Number(message.taskId) === taskId && message.status === status
    ? (message.occurredAtUtc ?? service.eventTimes.of(taskId, status))
    : service.eventTimes.of(taskId, status)
