/** Retracts a task so that a repeat does no harm. */
import { type BackOff, grown } from '../../back-off.ts'
import { type Clock, systemClock } from '../../clock.ts'
import type { TaskStatus } from '../../contract/task/task.ts'
import type { CallOptions, Client } from '../client.ts'
import { TaskStatusError } from '../task-status-error.ts'
import { type ChangedOnce, readAfterFailure } from './read-after-failure.ts'

/** Options of a retract. */
export interface RetractOptions extends CallOptions {
  /** Why, in up to 500 characters; the signer may read it. */
  reason?: string | undefined
  /**
   * How long a task is waited for that is not in the signer's inbox yet, and so cannot be retracted. Optional; 0 by default. Milliseconds.
   */
  patienceMs?: number
  /** Times the pauses. Optional; that of the system by default. */
  clock?: Clock
}

const PAUSES: BackOff = { firstMs: 500, longestMs: 5000 }

/**
 * Resolves when the task is retracted; `repeated` is true when it was before this call was answered.
 * @throws TaskStatusError with ALREADY_SIGNED when the signer was faster; else the client's errors
 */
export async function retractOnce(
  client: Pick<Client, 'retractTask' | 'readTask'>,
  taskId: number,
  { reason, patienceMs = 0, clock = systemClock, ...options }: RetractOptions = {},
): Promise<ChangedOnce> {
  const until = clock.now() + patienceMs
  let before: TaskStatus = 'Received'
  for (let refusals = 1; ; refusals++) {
    try {
      await client.retractTask({ params: { id: taskId }, query: { ...(reason !== undefined && { reason }) } }, options)
      return { repeated: false }
    } catch (failure) {
      const { status } = await readAfterFailure(failure, client, taskId, options)
      if (status === 'Retracted') return { repeated: true }
      if (status === 'Completed') throw new TaskStatusError('ALREADY_SIGNED', taskId, status)
      const pauseMs = grown(PAUSES, refusals)
      // A task may have come into the inbox between the refusal and the reading.
      const mayGoBetter = isOnItsWay(status) || (status === 'Pending' && isOnItsWay(before))
      if (!mayGoBetter || clock.now() + pauseMs > until) throw failure
      before = status
      await clock.sleep(pauseMs, options.signal)
    }
  }
}

/** Whether a task may still come into the signer's inbox. */
const isOnItsWay = (status: TaskStatus) => status === 'Received' || status === 'Processing'
