/** Takes away what the rules have made: withdraws tasks that wait, ends subscriptions. */
import { type Bearer, type Host, SUBSCRIPTIONS, TASKS } from './host.ts'
import { isSuccess } from './judge.ts'
import type { Json } from './stage/sample.ts'
import type { Stage } from './stage/stage.ts'
import { FINAL } from './stage/tasks.ts'

/** The ids of the objects that remain after it. */
export interface LeftOver {
  taskIds: number[]
  subscriptionIds: number[]
}

const INGESTING = new Set(['Received', 'Processing'])

export async function cleanUp(host: Host, stage: Stage): Promise<LeftOver> {
  const left: LeftOver = { taskIds: [], subscriptionIds: [] }
  for (const [id, as] of host.made.subscriptionIds) {
    if (!(await ended(host, id, as).catch(() => false))) left.subscriptionIds.push(id)
  }
  for (const id of host.made.taskIds) if (!(await withdrawn(host, stage, id).catch(() => false))) left.taskIds.push(id)
  return left
}

/**
 * Does the work, and cleans up when it fails.
 * @param tell is called with what is still there then
 */
export async function orCleanUp<T>(
  host: Host,
  stage: Stage,
  work: () => Promise<T>,
  tell: (left: LeftOver) => void,
): Promise<T> {
  try {
    return await work()
  } catch (failure) {
    tell(await cleanUp(host, stage))
    throw failure
  }
}

/** Whether the subscription gets no callbacks any longer. One that a rule has ended already may be refused. */
async function ended(host: Host, id: number, as: Bearer): Promise<boolean> {
  if (isSuccess((await host.delete(`${SUBSCRIPTIONS}/${id}`, { as })).status)) return true
  const rows = host.itemsOf(await host.get(SUBSCRIPTIONS, { as }))?.map((row) => Object(row) as Json)
  return rows !== undefined && !rows.some((row) => row.id === id && row.isActive !== false)
}

/** Whether nothing of the task waits any longer. One whose status cannot be read is withdrawn like one that waits. */
async function withdrawn(host: Host, stage: Stage, id: number): Promise<boolean> {
  const status = await stage.wait(async () => {
    const { status: now } = await stage.read(id)
    return INGESTING.has(String(now)) ? null : String(now)
  })
  if (FINAL.has(String(status))) return true
  return isSuccess((await host.delete(`${TASKS}/${id}`, { query: { reason: 'Conformance test over' } })).status)
}
