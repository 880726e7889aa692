/** Takes over a wait that another node, or another address of the service, has left. */
import type { WaitEntry } from '../../../lib/client/watch/waits.ts'
import { NodeError } from '../runtime/failures.ts'
import type { Message } from '../runtime/node-red.ts'
import { showCount, type WaitNode } from './wait-node.ts'

export interface AdoptedWait {
  taskId: number
  entry: WaitEntry
  /** The carried message; undefined without one. */
  carried: Message | undefined
}

/** Resolves when the wait is on the disk. Throws the NodeError ALREADY_AWAITED. */
export async function adoptWait(waitNode: WaitNode, { taskId, entry, carried }: AdoptedWait): Promise<void> {
  const watch = await waitNode.watch.get()
  if (watch.tasks().some((waiting) => waiting.taskId === taskId))
    throw new NodeError('ALREADY_AWAITED', `A message waits for task ${taskId} already. Discard one of them.`)
  const { deadline, meta } = entry
  const { carried: _sealed, ...others } = meta
  const sealed = carried && waitNode.carry.pack(taskId, carried)
  await watch.add(taskId, {
    ...(deadline !== undefined && { deadline }),
    meta: { ...others, ...(sealed !== undefined && { carried: sealed }) },
  })
  showCount(waitNode, watch, null, { taskId, at: Date.now() })
}
