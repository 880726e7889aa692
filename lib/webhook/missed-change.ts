/** The event of a change that no callback reported. Pure. */
import { createHash } from 'node:crypto'
import { EVENT_TYPE } from '../contract/callback.ts'
import type { StatusEvent } from '../contract/event.ts'
import type { Task } from '../contract/task/task.ts'

/**
 * Returns the event that would have reported the task's status. Its id depends on task and status alone, so that it too is
 * handed over once.
 * @param now milliseconds since 1970, for a host that does not say when the task changed
 */
export function missedChange(task: Task, now: number): StatusEvent {
  return {
    eventId: guidOf(`${task.taskId} ${task.status}`),
    eventType: EVENT_TYPE,
    taskId: task.taskId,
    documentId: task.documentId ?? null,
    status: task.status,
    statusReason: task.statusReason ?? task.output?.statusReason ?? null,
    occurredAtUtc: task.updatedAt ?? new Date(now).toISOString(),
  }
}

/** A GUID of version 8, which RFC 9562 leaves to applications. */
function guidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
