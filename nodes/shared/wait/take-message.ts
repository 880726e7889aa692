/** Takes a message to a wait node: begins the wait for a task, or cancels the wait for one task or for all. */
import type { Watch } from '../../../lib/client/watch/watch.ts'
import { anyPathId } from '../../../lib/contract/primitives.ts'
import { messageReader } from '../form/form-reader.ts'
import { readInputs } from '../form/inputs.ts'
import type { Config } from '../runtime/node-red.ts'
import { checkService } from '../service/same-task.ts'
import type { Held } from './held-messages.ts'
import { showCount, type WaitNode } from './wait-node.ts'

export async function takeMessage(waitNode: WaitNode, incoming: Held): Promise<void> {
  const { message, done } = incoming
  const schema = anyPathId()
  const isCancel = message.cancel === true
  const inputs = { taskId: isCancel ? schema.optional() : schema }
  const { taskId } = await readInputs(inputs, messageReader(waitNode, message))
  if (taskId !== undefined && waitNode.service) checkService(message, waitNode.service)
  const watch = await waitNode.watch.get()
  if (isCancel || taskId === undefined) {
    await cancel(waitNode, watch, taskId)
    return done()
  }
  await begin(waitNode, watch, taskId, incoming)
}

/** A second message for a task takes the place of the first, as its wait does. */
async function begin(waitNode: WaitNode, watch: Watch, taskId: number, incoming: Held): Promise<void> {
  const { held, carry, config, service } = waitNode
  const carried = carry.pack(taskId, incoming.message)
  held.hold(taskId, incoming)
  const timeoutMs = timeoutOf(config)
  const deadline = timeoutMs > 0 ? { deadline: Date.now() + timeoutMs } : {}
  const meta = { messageId: String(incoming.message._msgid), ...(carried !== undefined && { carried }) }
  await watch.add(taskId, { ...deadline, meta }).catch((failure) => {
    held.drop(taskId)
    throw failure
  })
  service?.taken.tell({ taskId, isOver: false })
  showCount(waitNode, watch, null, { taskId, at: Date.now() })
}

async function cancel(waitNode: WaitNode, watch: Watch, taskId: number | undefined): Promise<void> {
  for (const id of await watch.cancel(taskId)) waitNode.held.take(id).done()
  showCount(waitNode, watch, { tone: 'idle', key: 'cancelled' }, { taskId, at: Date.now() })
}

const UNITS: Record<string, number> = { seconds: 1000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 }

const timeoutOf = ({ timeout, timeoutUnit }: Config) =>
  (Number(timeout) || 0) * (UNITS[String(timeoutUnit)] ?? UNITS.days!)
