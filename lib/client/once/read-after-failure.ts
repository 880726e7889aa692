/** Finds out whether a change of a task was made although its call failed. */
import type { Task } from '../../contract/task/task.ts'
import type { CallOptions, Client } from '../client.ts'
import { RateLimitedError, RefusedError, UnauthorizedError, UnreachableError } from '../errors.ts'

/** How a change ended that may be asked for again. */
export interface ChangedOnce {
  /** True when the service had made the change before this call was answered. */
  repeated: boolean
}

/**
 * Reads the task after changing it has failed: a refusal may mean that the change was made before, a lost answer that it was
 * made just now. Throws the failure itself when the change cannot have been made, or when the task cannot be read.
 */
export async function readAfterFailure(
  failure: unknown,
  client: Pick<Client, 'readTask'>,
  taskId: number,
  options: CallOptions,
): Promise<Task> {
  const isUntouched = failure instanceof UnauthorizedError || failure instanceof RateLimitedError
  const isRefused = failure instanceof RefusedError && !isUntouched
  const isUnanswered = failure instanceof UnreachableError && failure.mayHaveArrived
  if (!isRefused && !isUnanswered) throw failure
  return client.readTask({ params: { id: taskId } }, options).catch(() => {
    throw failure
  })
}
