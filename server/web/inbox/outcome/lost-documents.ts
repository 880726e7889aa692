/** Finds out which documents the signer may no longer see, such as those of a colleague whom the signer no longer signs for. */
import { useEffect } from 'preact/hooks'
import type { Waiting } from '../../../operations/signer/messages.ts'
import { outcomeOf } from './outcome.ts'

/**
 * Calls `onLost` for each of them after the list of what waits has changed.
 * @param held the ids of the documents that the page holds
 * @param waiting what waits, as last loaded, which may be only the oldest; null until it is known
 */
export function useLostDocuments(
  held: readonly number[],
  waiting: readonly Waiting[] | null,
  onLost: (taskId: number) => void,
): void {
  useEffect(() => {
    if (!waiting) return
    const listed = new Set(waiting.map(({ taskId }) => taskId))
    for (const taskId of held)
      if (!listed.has(taskId))
        // What cannot be known now is looked at again with the next list.
        outcomeOf(taskId).then(
          (outcome) => outcome === null && onLost(taskId),
          () => {},
        )
  }, [waiting])
}
