/**
 * Registers nodes that do one thing for each message: the inputs are evaluated and checked, the call is made, and the same message
 * continues with new properties, or to Catch nodes. `done` is called exactly once, and no failure reaches the process.
 */

import type { Queue } from '../../lib/client/pace/queue.ts'
import { type FormReader, messageReader } from './form/form-reader.ts'
import { type Inputs, type InputTable, readInputs } from './form/inputs.ts'
import { migrated } from './form/migration.ts'
import { knownFailure, setFailure, stopped } from './runtime/failures.ts'
import { onceFlowsStarted } from './runtime/flows-started.ts'
import { keepTrying } from './runtime/keep-trying.ts'
import type { KeptMessages } from './runtime/kept-messages.ts'
import type { News } from './runtime/news.ts'
import type { Config, Done, Message, Runtime, RuntimeNode, Send } from './runtime/node-red.ts'
import { nodesInFlows } from './runtime/nodes-in-flows.ts'
import { sendOn } from './runtime/send-on.ts'
import { inFlightStatus, type Shown, shownFailure, shownRetry } from './runtime/status.ts'
import { unlessAborted } from './runtime/unless-aborted.ts'
import { type Connection, leaveService, noService, type ServiceNode, serviceOf } from './service/connection.ts'
import type { ConnectionWatch } from './service/connection-watch.ts'
import { checkService } from './service/same-task.ts'

/** The work of a node on each message, whether it calls the service or not. */
export interface LocalWork {
  runtime: Runtime
  node: RuntimeNode
  config: Config
  message: Message
  /** The reader for inputs that are not in the table. */
  reader: FormReader
  /** Aborted when the node closes and its calls have not ended in time. */
  signal: AbortSignal
  /** Shows and logs why a call is repeated: an operator must not wait for minutes to learn that a host fails. */
  retrying: (error: unknown) => void
}

/** The parts of a node that keeps its messages. */
export interface Keeping {
  runtime: Runtime
  node: RuntimeNode
  config: Config
  service: ServiceNode
  /** Called with the number of messages that are set aside. */
  onSetAside: (count: number) => void
}

export interface Work<T extends InputTable, Kept = unknown> extends LocalWork {
  /** The typed inputs of the form, parsed by the contract's schemas. */
  inputs: Inputs<T>
  connection: Connection
  service: ServiceNode
  /** The value that `keep` of the definition returned. */
  kept: Kept | undefined
}

export interface Result {
  /** Properties to set on the message. */
  set: Record<string, unknown>
  /** When given, a message is sent for each entry, with `set` and the properties of the entry; otherwise the message itself. */
  sequence?: Record<string, unknown>[]
  /** The output to send the message to, counted from 0. Optional; 0 by default. */
  output?: number
  shown?: Shown
}

export interface MessageNode<T extends InputTable, Kept extends KeptMessages = KeptMessages> {
  type: string
  /** Each typed input of the form with the contract's schema for it. */
  inputs: T | ((config: Config) => T)
  /** The names of fields that are sent under another one than that of their input. */
  wireNames?: Record<string, string>
  /** Other names of properties of messages, by the names in the form. They are read where those are missing. */
  otherNames?: Record<string, string>
  work(work: Work<T, Kept>): Promise<Result>
  /** Keeps the messages of a node; returns undefined where its form says not to. */
  keep?(keeping: Keeping): Kept | undefined
}

/** How long a closing node waits for its calls: well below Node-RED's own limit of 15 s. */
const GRACE_MS = 5000

export function registerMessageNode<T extends InputTable, Kept extends KeptMessages>(
  runtime: Runtime,
  definition: MessageNode<T, Kept>,
) {
  register(runtime, definition.type, (node, config, onSetAside) => {
    const service = serviceOf(runtime, node, config.service)
    const table = typeof definition.inputs === 'function' ? definition.inputs(config) : definition.inputs
    const kept = service ? definition.keep?.({ runtime, node, config, service, onSetAside }) : undefined
    return {
      connection: service?.connection ?? { listen: tellMissing(config) },
      queue: service?.queue,
      kept,
      otherNames: definition.otherNames,
      leave(ended) {
        // Calls under way still need the service, for their answers and its journal.
        service?.finish(ended)
        void ended.then(() => leaveService(service, node))
      },
      async work(local) {
        if (!service) throw noService(config.service)
        const inputs = await readInputs(table, local.reader, definition.wireNames)
        if ('taskId' in table) checkService(local.message, service)
        const connection = await service.connect()
        local.signal.throwIfAborted()
        const result = await definition.work({ ...local, inputs, connection, service, kept })
        const isAboutTask = result.set.taskId !== undefined || result.sequence !== undefined
        return isAboutTask ? { ...result, set: { ...result.set, signatureService: service.place } } : result
      },
    }
  })
}

/** A node that works on the message alone and calls no one. */
export function registerLocal(runtime: Runtime, type: string, work: (local: LocalWork) => Promise<Result>) {
  register(runtime, type, () => ({ leave: () => {}, work }))
}

interface Prepared {
  /** Whether the service can be called. */
  connection?: Pick<ConnectionWatch, 'listen'>
  /** Tells how many calls wait for the host. */
  queue?: News<Queue | null> | undefined
  kept?: KeptMessages | undefined
  otherNames?: Record<string, string> | undefined
  work(local: LocalWork): Promise<Result>
  /** Called when the node closes; `ended` resolves when none of its work is under way any more. */
  leave(ended: Promise<void>): void
}

type Prepare = (node: RuntimeNode, config: Config, onSetAside: (count: number) => void) => Prepared

function register(runtime: Runtime, type: string, prepare: Prepare) {
  runtime.nodes.registerType(type, function (stored) {
    const config = migrated(stored)
    runtime.nodes.createNode(this, stored)
    const status = inFlightStatus(runtime, this)
    const { connection, queue, kept, otherNames, work, leave } = prepare(this, config, status.setAside)
    const closing = new AbortController()
    const { signal } = closing
    const underWay = new Set<Promise<void>>()
    let isRetryLogged = false
    const retrying = (error: unknown) => {
      const { code, message, status: answered } = knownFailure(error) as Error & { code: string; status?: number }
      status.retrying(shownRetry(code, answered))
      if (!isRetryLogged) this.warn(message)
      isRetryLogged = true
    }
    const listening = [connection?.listen(status.connection), queue?.listen(status.queued)]

    const handle = async (message: Message, send: Send, done: Done) => {
      status.begin()
      let result: Result
      let working: Promise<Result> | undefined
      try {
        const reader = messageReader({ runtime, node: this, config, otherNames }, message)
        working = work({ runtime, node: this, config, message, reader, signal, retrying })
        result = await unlessAborted(working, signal)
      } catch (failure) {
        if (signal.aborted && kept?.isKept(message)) {
          // Its claim on the document must be given back before the journal closes, or the next start has to wait for it.
          await working?.catch(() => {})
          status.end({ tone: 'idle', key: 'goesOnLater' })
          return done()
        }
        const error = setFailure(message, failure)
        status.end({ ...shownFailure(error.code), at: Date.now() })
        return done(error)
      }
      isRetryLogged = false
      delete message.errors
      delete message.statusCode
      Object.assign(message, result.set)
      const taskId = result.set.taskId as number | undefined
      const sequence = result.sequence?.map((properties) =>
        Object.assign(runtime.util.cloneMessage(message), properties),
      )
      const shown = { ...(result.shown ?? { tone: 'good', key: 'done' }), taskId }
      const sending = { runtime, node: this, send }
      status.end({ ...sendOn(sending, result.output ?? 0, sequence ?? message, shown), at: Date.now() })
      done()
    }

    const take = (message: Message, send: Send, done: Done) => {
      const handled = handle(message, send, done)
        .catch((failure) => this.error(failure))
        .finally(() => underWay.delete(handled))
      underWay.add(handled)
    }
    this.on('input', take)
    kept?.onAdopted((message) =>
      take(message, this.send.bind(this), (failure) => failure && this.error(failure, message)),
    )
    const takeLeftOver = async () =>
      kept?.resume((message) =>
        take(message, this.send.bind(this), (failure) => failure && this.error(failure, message)),
      )
    const stopResuming = onceFlowsStarted(runtime, () =>
      keepTrying(takeLeftOver, { signal, onFailure: (failure) => this.warn(knownFailure(failure).message) }),
    )
    this.on('close', (removed, done) => {
      for (const stopListening of listening) stopListening?.()
      stopResuming()
      const timer = setTimeout(() => closing.abort(stopped()), GRACE_MS)
      const ended = Promise.allSettled(underWay)
        .then(() => clearTimeout(timer))
        .then(() => kept?.close(removed && !nodesInFlows(runtime)(this.id)))
        .catch((failure) => this.warn(knownFailure(failure).message))
      leave(ended)
      void ended.then(done)
    })
  })
}

/** In place of the connection of a service that is not there. */
const tellMissing =
  ({ service }: Config): ConnectionWatch['listen'] =>
  (listener) => {
    listener(shownFailure(noService(service).code))
    return () => {}
  }
