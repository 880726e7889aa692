/** One search of a reconcile node: sends a message for each outcome that no one has recorded. */
import { type Unrecorded, unrecorded } from '../../../lib/client/unrecorded/unrecorded.ts'
import { minutesOf } from '../form/form-values.ts'
import type { Message, Send } from '../runtime/node-red.ts'
import { sendOn } from '../runtime/send-on.ts'
import type { Shown } from '../runtime/status.ts'
import { noService } from '../service/connection.ts'
import { outcomeProperties } from '../service/outcome-properties.ts'
import { acknowledge, outcomesOf } from '../service/outcomes.ts'
import { type ReconcileNode, showResult } from './reconcile-node.ts'

const OUTPUTS: Partial<Record<string, number>> = { Completed: 0, Rejected: 1, Failed: 2 }

/** @param asking what each message has besides its task: a copy of the message that asked for the search */
export async function sendUnrecorded(reconcileNode: ReconcileNode, asking: Message, send: Send): Promise<void> {
  const { runtime, node, config, service, signal } = reconcileNode
  signal.throwIfAborted()
  if (!service) throw noService(config.service)
  const { client } = await service.connect()
  const found = unrecorded({
    client,
    ledger: await outcomesOf(service),
    isAwaited: (taskId) => service.changes.tell(taskId),
    createdSince: lookBackFrom(config.lookBack),
    quietMs: minutesOf(config.quiet),
    repeatMs: minutesOf(config.repeat),
    signal,
  })
  let shown: Shown = { tone: 'idle', key: 'allRecorded' }
  let count = 0
  let next = await found.next()
  for (; !next.done; next = await found.next()) {
    count++
    const sent = await sendOutcome(reconcileNode, next.value, asking, send)
    if (shown.tone !== 'bad') shown = { ...sent, values: { count } }
  }
  if (!next.value.isComplete) node.warn(runtime._('warning.incomplete'))
  showResult(reconcileNode, shown)
}

/**
 * Sends one outcome through the output of its status, and returns what to show of it.
 * @param asking what the message has besides
 */
export async function sendOutcome(
  { runtime, node, service, guarded }: ReconcileNode,
  { task, sentBefore }: Unrecorded,
  asking: Message,
  send: Send,
): Promise<Shown> {
  const outcome = outcomeProperties(service, task.taskId, task.status, task)
  const message = Object.assign(runtime.util.cloneMessage(asking), { payload: task, ...outcome, sentBefore })
  const output = OUTPUTS[task.status] ?? 0
  let shown: Shown = { tone: 'good', key: 'sent' }
  const sendNow = () => {
    shown = sendOn({ runtime, node, send }, output, message, shown)
  }
  const settle = async () => void (service && (await acknowledge(service, task.taskId)))
  await guarded.pass({ id: String(task.taskId), message, output, send: sendNow, settle })
  return shown
}

const DAY_MS = 86_400_000

/** 0 days, or what is not a number, looks at all tasks. */
const lookBackFrom = (days: unknown): number => (Number(days) > 0 ? Date.now() - Number(days) * DAY_MS : 0)
