/** What a change of a task came to that was refused or not answered, as the task itself tells. */
import type { Task } from '../../contract/task/task.ts'
import type { CallOptions, Client } from '../client.ts'
import { RefusedError, UnauthorizedError, UnreachableError } from '../errors.ts'

/**
 * Reads the task after a change of it failed: a refusal may mean that the change was made before, no answer that it was made
 * just now. Throws the failure itself when the change cannot have been made, or when the task cannot be read.
 */
export async function readAfterFailure(
  failure: unknown,
  client: Pick<Client, 'readTask'>,
  taskId: number,
  options: CallOptions,
): Promise<Task> {
  const isRefused = failure instanceof RefusedError && !(failure instanceof UnauthorizedError)
  const isUnanswered = failure instanceof UnreachableError && failure.mayHaveArrived
  if (!isRefused && !isUnanswered) throw failure
  return client.readTask({ params: { id: taskId } }, options).catch(() => {
    throw failure
  })
}
