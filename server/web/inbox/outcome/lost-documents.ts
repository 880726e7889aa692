/** Finds out which documents no longer wait for the signer, or may no longer be seen, as those of a colleague may not after a delegation. */
import { useEffect } from 'preact/hooks'
import type { Outcome, Waiting } from '../../../operations/signer/messages.ts'
import { outcomeOf } from './outcome.ts'

/**
 * Calls `onLost` for each of them after the list of what waits has changed.
 * @param held the ids of the documents that the page holds
 * @param onLost is given what became of the document; null for one that the signer may no longer see
 * @param waiting what waits, as last loaded, which may be only the oldest; null until it is known
 */
export function useLostDocuments(
  held: readonly number[],
  waiting: readonly Waiting[] | null,
  onLost: (taskId: number, outcome: Outcome | null) => void,
): void {
  useEffect(() => {
    if (!waiting) return
    const listed = new Set(waiting.map(({ taskId }) => taskId))
    for (const taskId of held)
      if (!listed.has(taskId))
        // The next list looks again.
        outcomeOf(taskId).then(
          (outcome) => outcome?.state !== 'waiting' && onLost(taskId, outcome),
          () => {},
        )
  }, [waiting])
}
