/** Retracts a task so that a repeat does no harm. */
import type { CallOptions, Client } from '../client.ts'
import { TaskStatusError } from '../task-status-error.ts'
import { type ChangedOnce, readAfterFailure } from './read-after-failure.ts'

/** What a retract may be given. */
export interface RetractOptions extends CallOptions {
  /** Why, in up to 500 characters; the signer may read it. */
  reason?: string | undefined
}

/**
 * Resolves when the task is retracted; `repeated` is true when it was before this call was answered.
 * @throws TaskStatusError with ALREADY_SIGNED when the signer was faster; else the client's errors
 */
export async function retractOnce(
  client: Pick<Client, 'retractTask' | 'readTask'>,
  taskId: number,
  { reason, ...options }: RetractOptions = {},
): Promise<ChangedOnce> {
  try {
    await client.retractTask({ params: { id: taskId }, query: { ...(reason !== undefined && { reason }) } }, options)
    return { repeated: false }
  } catch (failure) {
    const { status } = await readAfterFailure(failure, client, taskId, options)
    if (status === 'Retracted') return { repeated: true }
    if (status === 'Completed') throw new TaskStatusError('ALREADY_SIGNED', taskId, status)
    throw failure
  }
}
