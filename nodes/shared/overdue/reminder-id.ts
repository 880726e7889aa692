/** Names a reminder in its message, so that a flow can say that it has dealt with it. */
import type { TaskStatus } from '../../../lib/contract/task/task.ts'
import { isFinal, taskStatuses } from '../../../lib/contract/task/task-status.ts'
import type { Message } from '../runtime/node-red.ts'
import type { ServiceNode } from '../service/connection.ts'
import type { Threshold } from './overdue-entry.ts'
import { overdueJournal } from './overdue-journal.ts'
import type { Kind } from './reminders.ts'

/** Returns what `msg.reminder` says: opaque to flows. */
export const reminderId = (nodeId: string, taskId: number, { kind, threshold }: Threshold): string =>
  `${nodeId}/${taskId}/${kind}/${threshold}`

const ID = /^([^/]+)\/(-?\d+)\/(age|window)\/(\d+)$/

/**
 * Notes that a flow has dealt with the reminder of a message, so that it is not sent again. Returns whether the message is about a task
 * that was still open: it then says nothing about the outcome of the task.
 */
export async function takeReminder(service: ServiceNode, { reminder, status }: Message): Promise<boolean> {
  const [, nodeId, taskId, kind, threshold] = typeof reminder === 'string' ? (ID.exec(reminder) ?? []) : []
  if (nodeId === undefined) return false
  const journal = await overdueJournal(service, nodeId, 0)
  await journal.emitted(Number(taskId), { kind: kind as Kind, threshold: Number(threshold) })
  service.remindersTaken.tell(String(reminder))
  const isKnown = taskStatuses.includes(status as TaskStatus)
  return isKnown && !isFinal(status as TaskStatus)
}
