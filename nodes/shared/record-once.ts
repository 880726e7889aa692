/** Records the outcome of a task so that a repeat does no harm. */
import type { Client } from '../../lib/client/client.ts'
import { readAfter } from './aftermath.ts'

export interface SavedOutcome {
  externalSavedDocumentId: string
  archived?: boolean
  saved?: boolean
}

/** Resolves when the service has the outcome; `repeated` when it had it before this call was answered. */
export async function recordOnce(
  client: Client,
  taskId: number,
  outcome: SavedOutcome,
  signal: AbortSignal,
): Promise<{ repeated: boolean }> {
  try {
    await client.updateTask({ params: { id: taskId }, query: outcome }, { signal })
    return { repeated: false }
  } catch (failure) {
    const { output } = await readAfter(failure, client, taskId, signal)
    const isThere =
      output?.externalSavedDocumentId === outcome.externalSavedDocumentId &&
      (!outcome.archived || output.isArchived === true) &&
      (!outcome.saved || output.isFiled === true)
    if (!isThere) throw failure
    return { repeated: true }
  }
}
