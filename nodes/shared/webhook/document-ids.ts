/** The sender's ids for the documents of tasks. An event does not carry its own, so the task is read, once for all its events. */
import { withinTime } from '../../../lib/clock.ts'
import { unlessAborted } from '../runtime/unless-aborted.ts'
import type { ServiceNode } from '../service/connection.ts'

/** An event is not held up for longer by a host that does not answer. */
const READ_WITHIN_MS = 5000
/** Tasks whose ids are remembered; the events of a task mostly come within days. */
const REMEMBERED = 10_000

/**
 * Returns a function that gives the id of a task's document, as a property of the message. An event is not lost because the host
 * cannot be asked: the property is then missing, and `onError` is called. Rejects when aborted, and only then.
 */
export function createDocumentIds(
  service: ServiceNode,
  { signal, onError }: { signal: AbortSignal; onError: (failure: unknown) => void },
): (taskId: number) => Promise<{ externalDocId?: string }> {
  const known = new Map<number, { externalDocId?: string }>()

  async function read(taskId: number): Promise<{ externalDocId?: string }> {
    const { client } = await service.connect()
    const { externalDocId } = await withinTime(READ_WITHIN_MS, signal, (limited) =>
      client.readTask({ params: { id: taskId } }, { signal: limited }),
    )
    const found = externalDocId ? { externalDocId } : {}
    known.set(taskId, found)
    const [oldest] = known.keys()
    if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest)
    return found
  }

  return async (taskId) => {
    try {
      return known.get(taskId) ?? (await unlessAborted(read(taskId), signal))
    } catch (failure) {
      signal.throwIfAborted()
      onError(failure)
      return {}
    }
  }
}
