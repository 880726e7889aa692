/** Takes over the task that was found for a document, or holds the document when a person has to decide. */
import type { Created, Creating, Submission } from './creating.ts'
import type { Found } from './find-created.ts'
import { HeldError } from './held-error.ts'

/** @throws HeldError unless exactly one task was found that can still be signed, or is signed */
export async function adopt(
  { sender }: Pick<Creating, 'sender'>,
  { claim, entry }: Pick<Submission, 'claim' | 'entry'>,
  found: Found,
): Promise<Created> {
  if (found.is === 'one') {
    const { taskId, status, statusReason } = found.task
    await claim.conclude({ ...entry, state: 'created', taskId, status, ...(sender !== undefined && { sender }) })
    return { taskId, status, statusReason: statusReason ?? null, duplicate: false, adopted: true }
  }
  await claim.write({ ...entry, state: 'held' })
  if (found.is === 'several') throw new HeldError('SEVERAL_TASKS', found.taskIds)
  throw found.is === 'ended' ? new HeldError('TASK_ENDED', found.taskIds) : new HeldError('OUTCOME_UNKNOWN')
}
