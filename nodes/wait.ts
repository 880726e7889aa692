/**
 * Waits for the outcome of tasks, across deploys and restarts. The waiting itself is lib/client/watch/watch.ts over the journal; this
 * node keeps the messages that came and sends them on by the output of the outcome.
 */
import type { Outcome, Progress } from '../lib/client/watch/outcome.ts'
import { createWatch, type Watch } from '../lib/client/watch/watch.ts'
import { operations } from '../lib/contract/operations.ts'
import { evaluator, readInputs } from './shared/form/inputs.ts'
import { migrated } from './shared/form/migration.ts'
import { knownFailure, NodeError, noteFailure } from './shared/runtime/failures.ts'
import { keepTrying } from './shared/runtime/keep-trying.ts'
import type { Config, Done, Message, Runtime, Send } from './shared/runtime/node-red.ts'
import { nodesInFlows } from './shared/runtime/nodes-in-flows.ts'
import { type Shown, show, shownFailure } from './shared/runtime/status.ts'
import { leaveService, noService, serviceOf } from './shared/service/connection.ts'

/** A message that waits. After a restart there is none: then the ids of the journal make a new one. */
interface Held {
  message: Message
  send: Send
  done: Done
}

const OUTPUTS = { completed: 0, rejected: 1, ended: 2, 'timed-out': 3 } as const
const PROGRESS = 4
const SHOWN = { completed: 'completed', rejected: 'rejected', ended: 'ended', 'timed-out': 'timedOut' } as const

export default function (RED: Runtime) {
  RED.nodes.registerType('countersign-wait', function (stored) {
    const config = migrated(stored)
    RED.nodes.createNode(this, stored)
    const service = serviceOf(RED, this, config.service)
    const held = new Map<number, Held>()
    const timeoutMs = timeoutOf(config)
    let opening: Promise<Watch> | undefined

    const tell = (watch: Watch | undefined, otherwise: Shown | null) =>
      show(RED, this, watch?.size ? { tone: 'waiting', key: 'waiting', values: { count: watch.size } } : otherwise)

    /** A wait leaves the watch only after its report, so the count is told a moment later. */
    const tellLater = (otherwise: Shown) =>
      void setImmediate(() => opening?.then((watch) => tell(watch, otherwise)).catch(() => {}))

    const take = (taskId: number, messageId: unknown): Held => {
      const known = held.get(taskId)
      held.delete(taskId)
      const message = typeof messageId === 'string' ? { _msgid: messageId } : {}
      return (
        known ?? {
          message,
          send: (sent) => this.send(sent),
          done: (failure) => failure && this.error(failure, message),
        }
      )
    }

    const onOutcome = ({ taskId, outcome, status, task, meta }: Outcome) => {
      const { message, send, done } = take(taskId, meta.messageId)
      if (outcome === 'unknown') {
        const failure = new NodeError('UNKNOWN_TASK', `The service knows no task ${taskId} for this key.`)
        tellLater(shownFailure(failure.code))
        return done(noteFailure(message, failure))
      }
      Object.assign(message, propertiesOf(taskId, status, task))
      send([...Array<null>(OUTPUTS[outcome]).fill(null), message])
      done()
      tellLater({ tone: 'good', key: SHOWN[outcome] })
    }

    const onProgress = ({ taskId, status, task, meta }: Progress) => {
      if (config.progress !== true) return
      const message = held.get(taskId)?.message ?? { _msgid: String(meta.messageId) }
      this.send([
        ...Array<null>(PROGRESS).fill(null),
        Object.assign(RED.util.cloneMessage(message), propertiesOf(taskId, status, task)),
      ])
    }

    const open = async () => {
      if (!service) throw noService(config.service)
      const { client } = await service.connect()
      const watch = createWatch({
        client,
        journal: await service.journal(`waits-${this.id}`),
        onOutcome,
        onProgress,
        onError: (failure) => {
          const { code, message } = knownFailure(failure)
          show(RED, this, shownFailure(code))
          this.warn(message)
        },
      })
      await watch.resume()
      tell(watch, null)
      return watch
    }
    const opened = () => {
      opening ??= open().catch((failure) => {
        opening = undefined
        throw failure
      })
      return opening
    }

    const cancel = async (watch: Watch, taskId: number | undefined) => {
      for (const id of await watch.cancel(taskId)) take(id, null).done()
      tell(watch, { tone: 'idle', key: 'cancelled' })
    }

    const handle = async (message: Message, send: Send, done: Done) => {
      const schema = operations.readTask.params.shape.id
      const isCancel = message.cancel === true
      const inputs = { taskId: isCancel ? schema.optional() : schema }
      const { taskId } = await readInputs(inputs, config, evaluator(RED, this, message))
      const watch = await opened()
      if (isCancel || taskId === undefined) {
        await cancel(watch, taskId)
        return done()
      }
      // A second message takes the place of the first, as its wait does.
      held.get(taskId)?.done()
      held.set(taskId, { message, send, done })
      const deadline = timeoutMs > 0 ? { deadline: Date.now() + timeoutMs } : {}
      await watch.add(taskId, { ...deadline, meta: { messageId: String(message._msgid) } }).catch((failure) => {
        held.delete(taskId)
        throw failure
      })
      tell(watch, null)
    }

    this.on('input', (message, send, done) => {
      handle(message, send, done).catch((failure) => {
        const error = noteFailure(message, failure)
        show(RED, this, shownFailure(error.code))
        done(error)
      })
    })
    const forget = service?.onChange((taskId) => void opening?.then((watch) => watch.nudge(taskId)).catch(() => {}))
    const going = new AbortController()
    // Without a service there is nothing to wait for; a service that cannot be called now may be there in a minute.
    const onFailure = (failure: unknown) => {
      show(RED, this, shownFailure(knownFailure(failure).code))
      if (!service) going.abort()
    }
    void keepTrying(async () => void (await opened()), { signal: going.signal, onFailure })

    this.on('close', (removed, done) => {
      forget?.()
      going.abort()
      const closed = close(removed && !nodesInFlows(RED)(this.id)).catch((failure) =>
        this.warn(knownFailure(failure).message),
      )
      service?.finish(closed)
      void closed.then(() => leaveService(service, this)).then(done)
    })

    const close = async (isRemoved: boolean) => {
      const watch = await opening
      if (isRemoved) await watch?.cancel()
      await watch?.close()
      for (const { done } of held.values()) done()
    }
  })
}

const UNITS: Record<string, number> = { seconds: 1000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 }

const timeoutOf = ({ timeout, timeoutUnit }: Config) =>
  (Number(timeout) || 0) * (UNITS[String(timeoutUnit)] ?? UNITS.days!)

function propertiesOf(taskId: number, status: string, task: Outcome['task']) {
  const { statusReason = null, documentId = null, externalDocId } = task ?? {}
  return { taskId, status, statusReason, documentId, ...(externalDocId && { externalDocId }) }
}
