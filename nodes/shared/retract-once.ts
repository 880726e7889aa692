/** Retracts a task so that a repeat does no harm. */
import type { Client } from '../../lib/client/client.ts'
import { readAfter } from './aftermath.ts'
import { NodeError } from './failures.ts'

/** Resolves when the task is retracted; `repeated` when it was before this call was answered. */
export async function retractOnce(
  client: Client,
  taskId: number,
  reason: string | undefined,
  signal: AbortSignal,
): Promise<{ repeated: boolean }> {
  try {
    await client.retractTask({ params: { id: taskId }, query: { ...(reason !== undefined && { reason }) } }, { signal })
    return { repeated: false }
  } catch (failure) {
    const { status } = await readAfter(failure, client, taskId, signal)
    if (status === 'Retracted') return { repeated: true }
    if (status === 'Completed')
      throw new NodeError('ALREADY_SIGNED', `Task ${taskId} was signed before it could be retracted.`)
    throw failure
  }
}
