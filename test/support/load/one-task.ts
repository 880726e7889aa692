/** One task as a sender handles it: created, waited for, then signed, retracted or left to its signer, and read. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Task } from '../../../lib/contract/task/task.ts'
import type { Random } from '../random.ts'
import { aCreateBody, SIGNER } from '../service/a-create-body.ts'
import type { Acknowledged } from './acknowledged.ts'
import type { Sender } from './sender.ts'

export interface Handling {
  sender: Sender
  acknowledged: Acknowledged
  random: Random
  /** How long a task is waited for; a lease that a dead process left behind lasts longer. */
  patienceMs: number
}

/** How often each end is chosen. */
const ENDS = ['sign', 'sign', 'retract', 'leave'] as const
const UNKNOWN_SIGNER_SHARE = 0.1
const TASKS = '/api/v1/signature/tasks'

/** What is not acknowledged ends it: rejects with NotAcknowledged. */
export async function oneTask({ sender, acknowledged, random, patienceMs }: Handling): Promise<void> {
  const userNPI = random.isSo(UNKNOWN_SIGNER_SHARE) ? SIGNER.unknown : SIGNER.calder
  const body = aCreateBody({ performer: { signer: { userNPI } } })
  const created = await sender.ask({ name: 'create', method: 'POST', path: TASKS, body, expected: 201 })
  const { taskId } = created as Pick<Task, 'taskId'>
  acknowledged.created.add(taskId)

  const read = async (query = '') =>
    (await sender.ask({ name: 'read', method: 'GET', path: `${TASKS}/${taskId}${query}`, expected: 200 })) as Task
  let { status } = await read()
  for (const until = Date.now() + patienceMs; status === 'Received' || status === 'Processing'; ) {
    if (Date.now() > until) return
    await pause(25)
    status = (await read()).status
  }
  if (status !== 'Pending') return

  const end = random.pick(ENDS)
  if (end === 'sign') {
    await sender.ask({
      name: 'sign',
      method: 'POST',
      path: `/sandbox/v1/tasks/${taskId}/sign`,
      body: {},
      expected: 204,
    })
    acknowledged.outcomes.set(taskId, 'Completed')
    await read('?includeOutputAttachment=true')
  } else if (end === 'retract') {
    const path = `${TASKS}/${taskId}?reason=${encodeURIComponent(REASON)}`
    await sender.ask({ name: 'retract', method: 'DELETE', path, expected: 204 })
    acknowledged.outcomes.set(taskId, 'Retracted')
  } else await sender.ask({ name: 'list', method: 'GET', path: `${TASKS}?status=Pending&limit=20`, expected: 200 })
}

/** Of every retract: it must not be found in a log. */
export const REASON = 'Written for another visit'
