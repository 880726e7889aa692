/** One attempt of a delivery: the request, its end, and what came of it. It follows no redirect. */
import type { Agent, ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import type { Clock } from '../../../lib/clock.ts'
import { retryAfterMs } from '../../../lib/retry-after.ts'
import { MAX_ANSWER_BYTES } from '../../choices.ts'
import type { AttemptOutcome } from '../../domain/delivery/attempt.ts'
import { READ_BYTES, shownAnswer } from '../../domain/delivery/shown-answer.ts'
import { http } from '../../node-http.ts'
import { type AttemptTimer, createAttemptTimer } from './attempt-timer.ts'
import { BLOCKED, type LookupWatch } from './guarded-lookup.ts'
import { NO_TURN } from './lookups.ts'
import { NO_REPLY, type Reply } from './reply.ts'

/** Connections, by the protocol of the URL. */
export type Agents = Readonly<Record<'http:' | 'https:', Agent>>

export interface Connections {
  /** Connections that may have been used before. */
  kept: Agents
  /** Connections that nothing has used yet. */
  fresh: Agents
}

export interface AttemptParts extends Connections {
  clock: Clock
  url: URL
  headers: OutgoingHttpHeaders
  body: Buffer
  /** Undefined where a proxy resolves the name. */
  lookupFor(watch?: LookupWatch): LookupFunction | undefined
}

/**
 * Makes the attempt. Resolves with null when the receiver's name did not get its turn to be looked up: nothing was sent.
 * Never rejects.
 * @param cutOff ends it early, as a broken connection would
 */
export function attempt(parts: AttemptParts, cutOff: AbortSignal): Promise<Reply | null> {
  return new Promise((resolve) => {
    const state: Attempt = {
      ...parts,
      reply: { ...NO_REPLY },
      timer: createAttemptTimer(parts.clock, giveUp),
      request: null,
      isOver: false,
      isHandshaking: false,
      finish,
      giveUp,
    }
    const cut = () => giveUp('connection')
    function finish(outcome: AttemptOutcome | null): void {
      if (state.isOver) return
      state.isOver = true
      state.timer.stop()
      cutOff.removeEventListener('abort', cut)
      resolve(outcome && { ...state.reply, outcome, waitedMs: state.timer.waitedMs() })
    }
    function giveUp(outcome: AttemptOutcome | null): void {
      finish(outcome)
      state.request?.destroy()
    }
    cutOff.addEventListener('abort', cut, { once: true })
    send(state, parts.kept)
  })
}

/** An attempt under way. */
interface Attempt extends AttemptParts {
  /** The answer so far. */
  reply: Reply
  timer: AttemptTimer
  /** The newest one. */
  request: ClientRequest | null
  isOver: boolean
  isHandshaking: boolean
  /** Ends the attempt, if it is not over yet: with an outcome, or with null where it was none. */
  finish(outcome: AttemptOutcome | null): void
  /** The same, and breaks the connection. */
  giveUp(outcome: AttemptOutcome | null): void
}

function send(state: Attempt, agents: Agents): void {
  const { url, headers, body, timer, reply } = state
  // The second connection of an attempt has only what is left of its time.
  const lookup = state.lookupFor(agents === state.kept ? timer : undefined)
  const protocol = url.protocol === 'https:' ? 'https:' : 'http:'
  const { request: dial } = protocol === 'https:' ? https : http
  const request = dial(url, { method: 'POST', agent: agents[protocol], headers, ...(lookup && { lookup }) })
  state.request = request
  watchConnection(state, request)
  request.once('response', (answer) => readAnswer(state, answer))
  request.on('error', (failure: NodeJS.ErrnoException) => {
    const isBroken = BROKEN.has(failure.code ?? '')
    // The receiver closed a kept connection at the moment we took it up: it is not down.
    const isStale = request.reusedSocket && reply.status === null && isBroken
    if (isStale && !state.isOver && agents === state.kept) send(state, state.fresh)
    else state.finish(state.isHandshaking && !isBroken ? 'tls' : outcomeOf(failure))
  })
  request.end(body)
}

function watchConnection(state: Attempt, request: ClientRequest): void {
  const connected = () => {
    state.timer.connected()
    state.reply.connectMs = state.timer.elapsedMs()
  }
  request.once('socket', (socket) => {
    if (request.reusedSocket) return state.timer.connected()
    const isPlain = request.protocol === 'http:'
    const dialled = () => {
      state.isHandshaking = !isPlain
      if (isPlain) connected()
    }
    // A tunnel through a proxy is open already.
    if (socket.connecting) socket.once('connect', dialled)
    else dialled()
    if (isPlain) return
    socket.once('secureConnect', () => {
      state.isHandshaking = false
      connected()
    })
  })
}

/** Counts the bytes of the answer and keeps what may be shown of its beginning; one that is too long is cut off. */
function readAnswer({ reply, timer, clock, finish, giveUp }: Attempt, answer: IncomingMessage): void {
  const status = answer.statusCode ?? 0
  const outcome = status >= 200 && status < 300 ? 'delivered' : 'http'
  reply.status = status
  reply.retryAfterMs = retryAfterMs(answer.headers['retry-after'], clock.now())
  reply.firstByteMs = timer.elapsedMs()
  const beginning = Buffer.alloc(READ_BYTES)
  const keepBeginning = () => {
    reply.answer = shownAnswer(beginning.subarray(0, Math.min(reply.answerBytes, READ_BYTES)))
  }
  answer.on('data', (chunk: Buffer) => {
    if (reply.answerBytes < READ_BYTES) chunk.copy(beginning, reply.answerBytes)
    reply.answerBytes += chunk.length
    if (reply.answerBytes <= MAX_ANSWER_BYTES) return
    keepBeginning()
    giveUp(outcome)
  })
  answer.once('end', () => {
    keepBeginning()
    finish(outcome)
  })
  answer.once('error', () => giveUp('connection'))
}

/** Codes of connections that the other side broke off. */
const BROKEN = new Set(['ECONNRESET', 'EPIPE'])

/** Null where nothing was sent, which says nothing of the receiver. */
function outcomeOf({ code = '' }: NodeJS.ErrnoException): AttemptOutcome | null {
  if (code === NO_TURN) return null
  if (code === BLOCKED) return 'blocked_target'
  return /^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL)/.test(code) ? 'dns' : 'connection'
}
