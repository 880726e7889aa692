/**
 * The one shape of a node that does one thing with the service for each message: inputs are evaluated and checked, the call is
 * made, and the same message goes on with new properties, or to Catch nodes. `done` is called exactly once, and nothing that
 * goes wrong here reaches the process.
 */

import { type Evaluate, evaluator, type Inputs, type InputTable, readInputs } from './form/inputs.ts'
import { migrated } from './form/migration.ts'
import { knownFailure, NodeError, setFailure } from './runtime/failures.ts'
import type { Config, Done, Message, Runtime, RuntimeNode, Send } from './runtime/node-red.ts'
import { inFlightStatus, type Shown, shownFailure } from './runtime/status.ts'
import { type Connection, leaveService, noService, type ServiceNode, serviceOf } from './service/connection.ts'

/** What a node has for each message, whether it calls the service or not. */
export interface LocalWork {
  runtime: Runtime
  node: RuntimeNode
  config: Config
  message: Message
  /** For inputs that are no rows of the table. */
  evaluate: Evaluate
  /** Aborted when the node has to go. */
  signal: AbortSignal
}

export interface Work<T extends InputTable> extends LocalWork {
  /** The typed inputs of the form, as the contract's schemas give them. */
  inputs: Inputs<T>
  connection: Connection
  service: ServiceNode
}

export interface Result {
  /** Properties the message gets. */
  set: Record<string, unknown>
  /** When there is one, a message goes on for each of these, with `set` and these properties; else the message itself. */
  sequence?: Record<string, unknown>[]
  /** The output the message leaves by; the first when left out. */
  output?: number
  shown?: Shown
}

export interface MessageNode<T extends InputTable> {
  type: string
  /** Each typed input of the form with the contract's schema for it. */
  inputs: T | ((config: Config) => T)
  work(work: Work<T>): Promise<Result>
}

/** How long a node that has to go waits for its calls, well below Node-RED's own limit of 15 s. */
const GRACE_MS = 5000

export function registerMessageNode<T extends InputTable>(runtime: Runtime, definition: MessageNode<T>) {
  register(runtime, definition.type, (node, config) => {
    const service = serviceOf(runtime, node, config.service)
    const table = typeof definition.inputs === 'function' ? definition.inputs(config) : definition.inputs
    return {
      ready: readiness(service, config),
      leave(ended) {
        // What is under way writes its journal and is told its answer before the service goes.
        service?.finish(ended)
        void ended.then(() => leaveService(service, node))
      },
      async work(local) {
        if (!service) throw noService(config.service)
        const inputs = await readInputs(table, config, local.evaluate)
        const connection = await service.connect()
        local.signal.throwIfAborted()
        return definition.work({ ...local, inputs, connection, service })
      },
    }
  })
}

/** A node that works on the message alone and calls nobody. */
export function registerLocal(runtime: Runtime, type: string, work: (local: LocalWork) => Promise<Result>) {
  register(runtime, type, () => ({ ready: Promise.resolve(null), leave: () => {}, work }))
}

interface Prepared {
  /** How the node rests before the first message. */
  ready: Promise<Shown | null>
  work(local: LocalWork): Promise<Result>
  /** Called when the node goes; `ended` resolves when nothing of its work is under way any more. */
  leave(ended: Promise<void>): void
}

function register(runtime: Runtime, type: string, prepare: (node: RuntimeNode, config: Config) => Prepared) {
  runtime.nodes.registerType(type, function (stored) {
    const config = migrated(stored)
    runtime.nodes.createNode(this, stored)
    const { ready, work, leave } = prepare(this, config)
    const status = inFlightStatus(runtime, this)
    const going = new AbortController()
    const { signal } = going
    const underWay = new Set<Promise<void>>()
    void ready.then(status.rest)

    const handle = async (message: Message, send: Send, done: Done) => {
      status.begin()
      let result: Result
      try {
        const evaluate = evaluator(runtime, this, message)
        result = await unlessAborted(work({ runtime, node: this, config, message, evaluate, signal }), signal)
      } catch (failure) {
        const error = setFailure(message, failure)
        status.end(shownFailure(error.code))
        return done(error)
      }
      delete message.errors
      delete message.statusCode
      Object.assign(message, result.set)
      status.end(result.shown ?? { tone: 'good', key: 'done' })
      const sequence = result.sequence?.map((own) => Object.assign(runtime.util.cloneMessage(message), own))
      send([...Array<null>(result.output ?? 0).fill(null), sequence ?? message])
      done()
    }

    this.on('input', (message, send, done) => {
      const handled = handle(message, send, done)
        .catch((failure) => this.error(failure))
        .finally(() => underWay.delete(handled))
      underWay.add(handled)
    })
    this.on('close', (_removed, done) => {
      const timer = setTimeout(() => going.abort(stopped()), GRACE_MS)
      const ended = Promise.allSettled(underWay).then(() => clearTimeout(timer))
      leave(ended)
      void ended.then(done)
    })
  })
}

/** Some work cannot be aborted, and a node must not keep Node-RED from going on because of that. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let abort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

const stopped = () => new NodeError('STOPPED', 'The node was stopped before the call ended. Send the message again.')

/** Before the first message: red when no call could be made, a mark when the signers are simulated, else nothing. */
async function readiness(service: ServiceNode | null, config: Config): Promise<Shown | null> {
  try {
    if (!service) throw noService(config.service)
    const { simulated } = await service.connect()
    return simulated ? { tone: 'idle', key: 'simulated' } : null
  } catch (failure) {
    return shownFailure(knownFailure(failure).code)
  }
}
