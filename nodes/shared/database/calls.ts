/**
 * Calls PostgreSQL as the queues of the nodes call SQLite: a call returns when the database has answered. A queue answers a sender, or
 * sends a message into the flow, only after that, and nothing may come in between. The event loop waits for a round trip, as it waits
 * for the disk with SQLite; a database that does not answer is away after `limitMs`, and calls then fail at once until it is back.
 */
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { ClientConfig } from 'pg'
import { moduleAt } from '../../../lib/places.ts'

export interface Statement {
  sql: string
  values?: readonly unknown[]
}

export interface Result {
  rows: Record<string, unknown>[]
  /** How many rows were written or found. */
  count: number
}

/** The fields of the state that both threads see. */
export const CONNECTED = 0
export const ANSWERED = 1

export interface Question {
  id: number
  statements: readonly Statement[]
}

export interface Answer {
  id: number
  results?: Result[]
  /** Why there are no results: SQLSTATE, a code of Node.js, or AWAY. */
  code?: string
}

export interface ThreadData {
  options: ClientConfig
  limitMs: number
  state: Int32Array<SharedArrayBuffer>
}

/** Holds no text of the database, which could repeat what was stored. */
export class DatabaseError extends Error {
  readonly code: string
  constructor(code: string) {
    super(`The shared journal in PostgreSQL cannot be used (${code}).`)
    this.code = code
  }
}

export interface Calls {
  /** Runs the statements in one transaction, and returns when it is written. Throws a DatabaseError. */
  call(statements: readonly Statement[]): Result[]
  /** Whether its thread has ended by an error. */
  readonly hasEnded: boolean
  close(): void
}

/** How long a database may take for one call. */
const LIMIT_MS = 5_000

export function openCalls(options: ClientConfig, limitMs = LIMIT_MS): Calls {
  const state = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))
  const { port1: port, port2 } = new MessageChannel()
  const thread = new Worker(moduleAt('nodes/shared/database/thread'), {
    workerData: { options, limitMs, state, port: port2 },
    transferList: [port2],
  })
  let hasEnded = false
  thread.on('error', () => {
    hasEnded = true
    Atomics.store(state, CONNECTED, 0)
  })
  thread.unref()
  port.unref()
  let id = 0

  return {
    call(statements) {
      if (Atomics.load(state, CONNECTED) !== 1) throw new DatabaseError('AWAY')
      id += 1
      port.postMessage({ id, statements } satisfies Question)
      const answer = answerTo(id, { port, state, limitMs })
      if (!answer) {
        Atomics.store(state, CONNECTED, 0)
        port.postMessage('lost')
        throw new DatabaseError('TIMEOUT')
      }
      if (!answer.results) throw new DatabaseError(answer.code ?? 'AWAY')
      return answer.results
    },
    get hasEnded() {
      return hasEnded
    },
    close() {
      Atomics.store(state, CONNECTED, 0)
      port.postMessage('end')
    },
  }
}

interface Waiting {
  port: MessagePort
  state: Int32Array<SharedArrayBuffer>
  limitMs: number
}

/** Waits for the answer; undefined when the time is over. Answers to earlier questions, which came too late, are dropped. */
function answerTo(id: number, { port, state, limitMs }: Waiting): Answer | undefined {
  const end = performance.now() + limitMs
  for (;;) {
    const answered = Atomics.load(state, ANSWERED)
    const received = receiveMessageOnPort(port) as { message: Answer } | undefined
    if (received?.message.id === id) return received.message
    if (received) continue
    const leftMs = end - performance.now()
    if (leftMs <= 0) return undefined
    Atomics.wait(state, ANSWERED, answered, leftMs)
  }
}
