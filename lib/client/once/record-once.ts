/** Records the outcome of a task so that a repeat does no harm. */
import type { RequestOf } from '../../contract/calls.ts'
import type { CallOptions, Client } from '../client.ts'
import { type ChangedOnce, readAfterFailure } from './read-after-failure.ts'

/** Where the outcome was saved. `archived` and `saved` cannot be undone, so leave them out rather than send false. */
export type SavedOutcome = RequestOf<'updateTask'>['query']

/**
 * Resolves when the service has recorded the outcome; `repeated` is true when it had before this call was answered.
 * @throws the client's errors when it has not
 */
export async function recordOnce(
  client: Pick<Client, 'updateTask' | 'readTask'>,
  taskId: number,
  outcome: SavedOutcome,
  options: CallOptions = {},
): Promise<ChangedOnce> {
  try {
    await client.updateTask({ params: { id: taskId }, query: outcome }, options)
    return { repeated: false }
  } catch (failure) {
    const { output } = await readAfterFailure(failure, client, taskId, options)
    const isThere =
      output?.externalSavedDocumentId === outcome.externalSavedDocumentId &&
      (!outcome.archived || output.isArchived === true) &&
      (!outcome.saved || output.isFiled === true)
    if (!isThere) throw failure
    return { repeated: true }
  }
}
