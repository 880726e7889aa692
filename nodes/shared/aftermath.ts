/** What a refused or unanswered change of a task came to, told by the task itself. */
import type { Client } from '../../lib/client/client.ts'
import { RefusedError, UnauthorizedError, UnreachableError } from '../../lib/client/errors.ts'
import type { Task } from '../../lib/contract/task.ts'

/**
 * Reads the task after a change failed: a refusal may mean that the change was made before, no answer that it was made just
 * now. Throws the failure itself when the change cannot have been made, or when the task cannot be read.
 */
export async function readAfter(failure: unknown, client: Client, taskId: number, signal: AbortSignal): Promise<Task> {
  const refused = failure instanceof RefusedError && !(failure instanceof UnauthorizedError)
  const unanswered = failure instanceof UnreachableError && failure.mayHaveArrived
  if (!refused && !unanswered) throw failure
  return client.readTask({ params: { id: taskId } }, { signal }).catch(() => {
    throw failure
  })
}
