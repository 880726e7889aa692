/** Removes the drafts of documents that no longer wait, whatever became of them. */
import { useEffect } from 'preact/hooks'
import type { Waiting } from '../../../operations/signer/messages.ts'
import { outcomeOf } from '../outcome/outcome.ts'
import { draftedTasks, removeDraft } from './drafts.ts'

/** @param waiting what waits, as last loaded, which may be only the oldest; null until it is known */
export function useEndedDrafts(waiting: readonly Waiting[] | null): void {
  useEffect(() => {
    // The next list looks again.
    if (waiting) void dropEnded(new Set(waiting.map(({ taskId }) => taskId))).catch(() => {})
  }, [waiting])
}

async function dropEnded(waiting: ReadonlySet<number>): Promise<void> {
  for (const taskId of await draftedTasks())
    if (!waiting.has(taskId) && (await outcomeOf(taskId))?.state !== 'waiting') await removeDraft(taskId)
}
