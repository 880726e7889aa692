/** The message that a webhook node sends for an event. Pure. */
import type { StatusEvent } from '../../../lib/contract/event.ts'
import type { Config, Message } from '../runtime/node-red.ts'

/** Returns undefined for a status that was not chosen. When none was chosen, all are. */
export function messageOf(event: StatusEvent, { statuses }: Config): Message | undefined {
  const chosen = statuses as string[] | undefined
  if (chosen?.length && !chosen.includes(event.status)) return undefined
  const { eventId, taskId, status, statusReason = null, documentId = null, occurredAtUtc } = event
  return { topic: status, payload: event, eventId, taskId, status, statusReason, documentId, occurredAtUtc }
}
