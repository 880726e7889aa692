/** Opens the watch of a wait node, resumes the waits in its journal, and sends a message for each report. */
import type { Outcome, Progress } from '../../../lib/client/watch/outcome.ts'
import { createWatch, type Watch } from '../../../lib/client/watch/watch.ts'
import type { TaskStatus } from '../../../lib/contract/task/task.ts'
import { isFinal } from '../../../lib/contract/task/task-status.ts'
import { minutesOf } from '../form/form-values.ts'
import { knownFailure, NodeError, setFailure } from '../runtime/failures.ts'
import { sendOn } from '../runtime/send-on.ts'
import { type Shown, show, shownFailure } from '../runtime/status.ts'
import { noService } from '../service/connection.ts'
import { outcomeProperties } from '../service/outcome-properties.ts'
import { acknowledge, outcomesOf } from '../service/outcomes.ts'
import { checkDocument } from '../service/same-task.ts'
import { showCount, type WaitNode } from './wait-node.ts'

const OUTPUTS = { completed: 0, rejected: 1, ended: 2, 'timed-out': 3 } as const
const PROGRESS = 4

/** What to show of an outcome: green only for a signature. */
function shownOutcome(outcome: keyof typeof OUTPUTS, status: TaskStatus): Shown {
  if (outcome === 'completed') return { tone: 'good', key: 'completed' }
  if (outcome === 'rejected') return { tone: 'waiting', key: 'rejected' }
  if (outcome === 'timed-out') return { tone: 'bad', key: 'timedOut' }
  return ENDED[status] ?? { tone: 'bad', key: 'ended' }
}
const ENDED: Partial<Record<TaskStatus, Shown>> = {
  Failed: { tone: 'bad', key: 'taskFailed' },
  Retracted: { tone: 'waiting', key: 'retracted' },
  Cancelled: { tone: 'waiting', key: 'taskCancelled' },
}

export async function openWatch(waitNode: WaitNode): Promise<Watch> {
  const { service, config, node } = waitNode
  if (!service) throw noService(config.service)
  const { client } = await service.connect()
  const ledger = await outcomesOf(service)
  const repeatMs = minutesOf(config.repeat)
  const watch = createWatch({
    client,
    journal: await service.journal(`waits-${node.id}`),
    async onOutcome(outcome) {
      // Before it is sent, so that a reconcile node that looks at this moment does not send it, too.
      if (isFinal(outcome.status)) await ledger.sent(outcome.taskId)
      await sendOutcome(waitNode, outcome)
    },
    ...(config.redelivery === 'acknowledged' && {
      repeat: { isAcknowledged: ledger.isRecorded, ...(repeatMs > 0 && { afterMs: repeatMs }) },
    }),
    onProgress: (progress) => config.progress === true && sendProgress(waitNode, progress),
    onError: (failure) => warn(waitNode, failure),
  })
  try {
    await watch.resume()
  } catch (failure) {
    // The next try makes another one, and two would send each outcome twice.
    await watch.close()
    throw failure
  }
  showCount(waitNode, watch, null)
  return watch
}

async function sendOutcome(waitNode: WaitNode, report: Outcome): Promise<void> {
  const { taskId, outcome, status, task, meta, reportedBefore } = report
  const held = waitNode.held.take(taskId, meta)
  const { message, send, done } = held
  if (outcome === 'unknown') {
    const failure = new NodeError('UNKNOWN_TASK', `The service knows no task ${taskId} for this key.`)
    showCountSoon(waitNode, shownFailure(failure.code), taskId)
    done(setFailure(message, failure))
    return
  }
  const { runtime, node, service, config } = waitNode
  try {
    if (task) checkDocument(message, task)
  } catch (failure) {
    const error = setFailure(message, failure)
    showCountSoon(waitNode, shownFailure(error.code), taskId)
    done(error)
    return
  }
  const isRepeated = config.redelivery === 'acknowledged'
  const properties = outcomeProperties(service, taskId, status, task)
  Object.assign(message, properties, isRepeated && { sentBefore: reportedBefore })
  let shown = shownOutcome(outcome, status)
  const output = OUTPUTS[outcome]
  const sendNow = () => {
    shown = sendOn({ runtime, node, send }, output, message, shown)
  }
  const passed = await waitNode.guarded
    .pass({ id: String(taskId), message, output, send: sendNow })
    .catch((failure) => {
      waitNode.held.hold(taskId, held)
      throw failure
    })
  done()
  // A person decides about it from now on, so that no node sends it again.
  if (passed === 'set aside' && service && isFinal(status)) await acknowledge(service, taskId)
  showCountSoon(waitNode, shown, taskId)
}

function sendProgress({ runtime, node, service, held }: WaitNode, { taskId, status, task, meta }: Progress): void {
  const message = runtime.util.cloneMessage(held.peek(taskId, meta))
  node.send([
    ...Array<null>(PROGRESS).fill(null),
    Object.assign(message, outcomeProperties(service, taskId, status, task)),
  ])
}

function warn({ runtime, node }: WaitNode, failure: unknown): void {
  const { code, message } = knownFailure(failure)
  show(runtime, node, { ...shownFailure(code), at: Date.now() })
  node.warn(message)
}

/** A wait leaves the watch after its report, so the count is right only a moment later. */
function showCountSoon(waitNode: WaitNode, otherwise: Shown, taskId: number): void {
  const news = { taskId, at: Date.now() }
  setImmediate(() =>
    waitNode.watch.current?.then((watch) => showCount(waitNode, watch, otherwise, news)).catch(() => {}),
  )
}
