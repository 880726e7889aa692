/**
 * Sends the outcome of a task into a flow again, through a reconcile node. The outcome is all that can be sent: a document is not
 * kept after it was sent, so a corrected one comes from the flow.
 */

import { isRecorded } from '../../../lib/client/unrecorded/is-recorded.ts'
import type { TaskStatus } from '../../../lib/contract/task/task.ts'
import { NodeError } from '../runtime/failures.ts'
import type { ServiceNode } from '../service/connection.ts'
import { outcomesOf } from '../service/outcomes.ts'

const STATUSES: readonly TaskStatus[] = ['Completed', 'Rejected', 'Failed']

/** A person has asked for it, so it is sent however long ago it was sent the last time. */
const AT_ONCE = { endedAt: undefined, quietMs: 0, repeatMs: 0 }

/**
 * Returns the name of the node that sent it.
 * @throws NodeError NO_OUTCOME, NO_RECONCILE, STILL_AWAITED or ALREADY_RECORDED, which say why it was not sent; else the client's
 * errors
 */
export async function resend(service: ServiceNode, taskId: number, signal: AbortSignal): Promise<{ name: string }> {
  const { client } = await service.connect()
  const task = await client.readTask({ params: { id: taskId } }, { signal })
  if (!STATUSES.includes(task.status))
    throw new NodeError('NO_OUTCOME', `Task ${taskId} is ${task.status}, so there is no outcome to send.`)
  const [taker] = service.takers.all()
  if (!taker)
    throw new NodeError(
      'NO_RECONCILE',
      'No flow can take the outcome: add a reconcile node of this service to a flow, and deploy.',
    )
  if (await service.changes.tell(taskId))
    throw new NodeError('STILL_AWAITED', `A wait node waits for task ${taskId}. It is looking at the task now.`)
  const ledger = await outcomesOf(service)
  const taken = isRecorded(task) ? undefined : await ledger.take(taskId, AT_ONCE)
  if (!taken) throw new NodeError('ALREADY_RECORDED', `The outcome of task ${taskId} is recorded already.`)
  taker.send({ task, ...taken })
  return { name: taker.name }
}
