/** One attempt of a delivery: a signed POST, and what came of it. It follows no redirect and keeps nothing of the answer. */
import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { Clock } from '../../lib/clock.ts'
import { EVENT_TYPE, WEBHOOK_HEADERS } from '../../lib/contract/event.ts'
import { retryAfterMs } from '../../lib/retry-after.ts'
import { signWebhook } from '../../lib/webhook/signature.ts'
import {
  CONNECT_TIMEOUT_MS,
  DELIVERY_SLOTS,
  DELIVERY_TIMEOUT_MS,
  LOOKUP_PATIENCE_MS,
  MAX_ANSWER_BYTES,
} from '../choices.ts'
import type { AttemptOutcome } from '../domain/delivery/attempt.ts'
import { receiverUrlProblem } from '../domain/delivery/receiver-url.ts'
import type { TargetPolicy } from '../domain/delivery/target.ts'
import type { DueDelivery } from '../store/delivery/due.ts'
import { BLOCKED, guardedLookup } from './guarded-lookup.ts'
import { NO_TURN } from './lookups.ts'
import type { Resolve } from './resolve.ts'

export interface Reply {
  outcome: AttemptOutcome
  /** How long other names were looked up first; the attempt began after that. */
  waitedMs: number
  /** Status of the answer; null when none came. */
  status: number | null
  /** What the receiver asked us to wait, or null. */
  retryAfterMs: number | null
  /** Until the connection stood; null when it never did, or stood already. */
  connectMs: number | null
  firstByteMs: number | null
  answerBytes: number
}

export type Sending = Pick<DueDelivery, 'organizationId' | 'url' | 'body' | 'secret' | 'eventId' | 'attemptNumber'>

export interface Poster {
  /**
   * Null when the receiver's name did not get its turn to be looked up: nothing was sent, which says nothing of the receiver.
   * Never rejects. `cutOff` ends it early. `headersAt` gives the headers at a time in milliseconds since 1970, where these are
   * not to be the right ones.
   */
  post(
    sending: Sending,
    cutOff: AbortSignal,
    headersAt?: (at: number) => http.OutgoingHttpHeaders,
  ): Promise<Reply | null>
  /** Ends connections that are kept for the next delivery. */
  close(): void
}

export interface PosterParts {
  clock: Clock
  targets: TargetPolicy
  resolve: Resolve
}

/** A kept connection that was idle for longer may have been forgotten by something in between; it is closed. */
const IDLE_MS = 20_000

const NOTHING: Reply = {
  outcome: 'connection',
  waitedMs: 0,
  status: null,
  retryAfterMs: null,
  connectMs: null,
  firstByteMs: null,
  answerBytes: 0,
}

export function createPoster({ clock, targets, resolve }: PosterParts): Poster {
  const lookupFor = guardedLookup(targets, resolve)
  // Of the connections to one host none is thrown away that the next delivery could use: several may call the same host.
  const kept = { keepAlive: true, maxFreeSockets: DELIVERY_SLOTS, timeout: IDLE_MS }
  const agents = { 'http:': new http.Agent(kept), 'https:': new https.Agent(kept) }
  const fresh = { 'http:': new http.Agent(), 'https:': new https.Agent() }

  function dial(url: URL, pool: typeof agents, options: http.RequestOptions): ClientRequest {
    const { request } = url.protocol === 'https:' ? https : http
    return request(url, { method: 'POST', agent: pool[url.protocol as keyof typeof agents], ...options })
  }

  return {
    post(sending, cutOff, headersAt = (at) => signedHeaders(sending, at)) {
      // A literal address is never looked up, and the rules may have changed since the URL was accepted.
      if (receiverUrlProblem(sending.url, targets)) return Promise.resolve({ ...NOTHING, outcome: 'blocked_target' })
      const calledAt = clock.now()
      return new Promise((resolveReply) => {
        const reply = { ...NOTHING }
        const elapsed = () => Math.max(0, clock.now() - calledAt - reply.waitedMs)
        let current: ClientRequest | null = null
        let isOver = false
        let isHandshaking = false
        let cancelTimers = () => {}
        const finish = (outcome: AttemptOutcome | null) => {
          if (isOver) return
          isOver = true
          cancelTimers()
          cutOff.removeEventListener('abort', cut)
          resolveReply(outcome && { ...reply, outcome })
        }
        const giveUp = (outcome: AttemptOutcome | null) => {
          finish(outcome)
          current?.destroy()
        }
        const cut = () => giveUp('connection')
        const begin = () => {
          if (isOver) return
          cancelTimers()
          reply.waitedMs = Math.max(0, clock.now() - calledAt)
          const cancelLimit = clock.after(DELIVERY_TIMEOUT_MS, () => giveUp('timeout'))
          cancelConnecting = clock.after(CONNECT_TIMEOUT_MS, () => giveUp('timeout'))
          cancelTimers = () => {
            cancelLimit()
            cancelConnecting()
          }
        }
        const waits = () => {
          cancelTimers()
          cancelTimers = clock.after(LOOKUP_PATIENCE_MS, () => giveUp(null))
        }
        let cancelConnecting = () => {}
        begin()
        cutOff.addEventListener('abort', cut, { once: true })

        const connected = () => {
          cancelConnecting()
          reply.connectMs = elapsed()
        }
        const answered = (answer: IncomingMessage) => {
          const status = answer.statusCode ?? 0
          const outcome = status >= 200 && status < 300 ? 'delivered' : 'http'
          Object.assign(reply, {
            status,
            retryAfterMs: retryAfterMs(answer.headers['retry-after'], clock.now()),
            firstByteMs: elapsed(),
          })
          answer.on('data', (chunk: Buffer) => {
            reply.answerBytes += chunk.length
            if (reply.answerBytes > MAX_ANSWER_BYTES) giveUp(outcome)
          })
          answer.once('end', () => finish(outcome))
          answer.once('error', () => giveUp('connection'))
        }
        const attempt = (pool: typeof agents) => {
          const headers = headersAt(calledAt)
          // The second connection of an attempt has only what is left of its time.
          const lookup = lookupFor(sending.organizationId, pool === agents ? { waits, begins: begin } : undefined)
          const request = dial(new URL(sending.url), pool, { headers, lookup })
          current = request
          request.once('socket', (socket) => {
            if (!socket.connecting) return cancelConnecting()
            if (request.protocol === 'http:') return void socket.once('connect', connected)
            socket.once('connect', () => {
              isHandshaking = true
            })
            socket.once('secureConnect', () => {
              isHandshaking = false
              connected()
            })
          })
          request.once('response', answered)
          request.on('error', (failure: NodeJS.ErrnoException) => {
            // The receiver closed a kept connection at the moment we took it up: it is not down.
            const isStale = request.reusedSocket && reply.status === null && STALE.has(failure.code ?? '')
            if (isStale && !isOver && pool === agents) attempt(fresh)
            else finish(isHandshaking && !STALE.has(failure.code ?? '') ? 'tls' : outcomeOf(failure))
          })
          request.end(sending.body)
        }
        attempt(agents)
      })
    },
    close() {
      for (const agent of [...Object.values(agents), ...Object.values(fresh)]) agent.destroy()
    },
  }
}

const STALE = new Set(['ECONNRESET', 'EPIPE'])

/** @param at milliseconds since 1970 */
export function signedHeaders({ body, secret, eventId, attemptNumber }: Sending, at: number): http.OutgoingHttpHeaders {
  const timestamp = Math.floor(at / 1000)
  return {
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    'User-Agent': 'Countersign',
    [WEBHOOK_HEADERS.signature]: signWebhook({ secret: secret.toString('base64'), body, timestamp }),
    [WEBHOOK_HEADERS.timestamp]: String(timestamp),
    [WEBHOOK_HEADERS.eventId]: eventId,
    [WEBHOOK_HEADERS.eventType]: EVENT_TYPE,
    'X-Service-Attempt': String(attemptNumber),
  }
}

/** Null where the attempt was none. */
function outcomeOf({ code = '' }: NodeJS.ErrnoException): AttemptOutcome | null {
  if (code === NO_TURN) return null
  if (code === BLOCKED) return 'blocked_target'
  return /^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL)/.test(code) ? 'dns' : 'connection'
}
