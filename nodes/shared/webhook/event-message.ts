/** The message that a webhook node sends for an event. An event does not carry the sender's id for the document, so the task is read. */
import type { StatusEvent } from '../../../lib/contract/event.ts'
import type { Config, Message } from '../runtime/node-red.ts'
import type { ServiceNode } from '../service/connection.ts'

/** Returns undefined for a status that was not chosen. When none was chosen, all are. */
export function messageOf(event: StatusEvent, { statuses }: Config): Message | undefined {
  const chosen = statuses as string[] | undefined
  if (chosen?.length && !chosen.includes(event.status)) return undefined
  const { eventId, taskId, status, statusReason = null, documentId = null, occurredAtUtc } = event
  return { topic: status, payload: event, eventId, taskId, status, statusReason, documentId, occurredAtUtc }
}

/** An event is not held up for longer by a host that does not answer. */
const READ_WITHIN_MS = 5000

/**
 * Returns the sender's id for the document of a task, as a property of the message. An event is not lost because the host cannot
 * be asked: the property is then missing, and `onError` is told.
 */
export async function documentIdOf(
  service: ServiceNode,
  taskId: number,
  { signal, onError }: { signal: AbortSignal; onError: (failure: unknown) => void },
): Promise<{ externalDocId?: string }> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(READ_WITHIN_MS)])
  try {
    const { client } = await service.connect()
    const { externalDocId } = await client.readTask({ params: { id: taskId } }, { signal: within })
    return externalDocId ? { externalDocId } : {}
  } catch (failure) {
    onError(failure)
    return {}
  }
}
