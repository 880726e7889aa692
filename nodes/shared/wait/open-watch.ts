/** Opens the watch of a wait node, resumes the waits in its journal, and sends a message for each report. */
import type { Outcome, Progress } from '../../../lib/client/watch/outcome.ts'
import { createWatch, type Watch } from '../../../lib/client/watch/watch.ts'
import type { TaskStatus } from '../../../lib/contract/task/task.ts'
import { isFinal } from '../../../lib/contract/task/task-status.ts'
import type { Guarded } from '../accepted/guarded-send.ts'
import { minutesOf } from '../form/form-values.ts'
import { knownFailure, NodeError, setFailure } from '../runtime/failures.ts'
import type { Message } from '../runtime/node-red.ts'
import { sendOn } from '../runtime/send-on.ts'
import { type Shown, show, shownFailure } from '../runtime/status.ts'
import { noService } from '../service/connection.ts'
import type { OwnJournal } from '../service/journals.ts'
import { outcomeProperties } from '../service/outcome-properties.ts'
import { acknowledge, outcomesOf } from '../service/outcomes.ts'
import { checkDocument } from '../service/same-task.ts'
import type { Held } from './held-messages.ts'
import { showCount, type WaitNode } from './wait-node.ts'

const OUTPUTS = { completed: 0, rejected: 1, ended: 2, 'timed-out': 3 } as const
const PROGRESS = 4

/** The status for an outcome: green only for a signature. */
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
  const journal = await service.ownJournal(`waits-${node.id}`)
  const watch = createWatch({
    client,
    journal,
    async onOutcome(outcome) {
      // After a stall, another process may have taken the wait over, and reports it.
      if (service.shared && (await journal.get(String(outcome.taskId))) === undefined)
        return waitNode.held.take(outcome.taskId).done()
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
    await journal.takeOver()
    await watch.resume()
  } catch (failure) {
    // The next try makes another one, and two would send each outcome twice.
    await watch.close()
    throw failure
  }
  waitNode.stopTakingOver()
  waitNode.stopTakingOver = service.onBeat(() => {
    takeOver(waitNode, watch, journal).catch((failure) => warn(waitNode, failure))
  })
  showCount(waitNode, watch, null)
  return watch
}

/** Waits for what processes that have ended have waited for. */
async function takeOver(waitNode: WaitNode, watch: Watch, journal: OwnJournal): Promise<void> {
  if ((await journal.takeOver()) === 0) return
  await watch.resume()
  showCount(waitNode, watch, null)
}

async function sendOutcome(waitNode: WaitNode, report: Outcome): Promise<void> {
  const { taskId, status, meta } = report
  const { service, guarded } = waitNode
  const held = waitNode.held.take(taskId, meta)
  const { message, done } = held
  const failure = failureOf(report, message)
  const sending = failure ? givenToCatchNodes(held, failure) : sentOn(waitNode, report, held)
  const passed = await guarded
    .pass({
      id: String(taskId),
      message,
      ...sending,
      // No node is to send it again.
      settle: async () => void (service && isFinal(status) && (await acknowledge(service, taskId))),
    })
    .catch((error) => {
      waitNode.held.hold(taskId, held)
      throw error
    })
  if (!failure || passed === 'set aside') done()
  showCountSoon(waitNode, sending.shown(), taskId)
}

function failureOf({ taskId, outcome, task }: Outcome, message: Message): unknown {
  if (outcome === 'unknown') return new NodeError('UNKNOWN_TASK', `The service knows no task ${taskId} for this key.`)
  try {
    if (task) checkDocument(message, task)
    return undefined
  } catch (failure) {
    return failure
  }
}

interface Sending extends Pick<Guarded, 'output' | 'send'> {
  /** Returns what to show when it was sent. */
  shown: () => Shown
}

function givenToCatchNodes({ message, done }: Held, failure: unknown): Sending {
  const error = setFailure(message, failure)
  return { output: error.code, send: () => done(error), shown: () => shownFailure(error.code) }
}

function sentOn({ runtime, node, service, config }: WaitNode, report: Outcome, { message, send }: Held): Sending {
  const { taskId, status, task, reportedBefore } = report
  const outcome = report.outcome as keyof typeof OUTPUTS
  const isRepeated = config.redelivery === 'acknowledged'
  const properties = outcomeProperties(service, taskId, status, task)
  Object.assign(message, properties, isRepeated && { sentBefore: reportedBefore })
  const output = OUTPUTS[outcome]
  let shown = shownOutcome(outcome, status)
  return {
    output,
    send() {
      shown = sendOn({ runtime, node, send }, output, message, shown)
    },
    shown: () => shown,
  }
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
  // The outcome is in the journal, so the next start sends it.
  if (code === 'STOPPED') return
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
