/** One attempt of a delivery: a signed POST, and what came of it. It follows no redirect and keeps nothing of the answer. */
import type { Readable } from 'node:stream'
import axios from 'axios'
import { EVENT_TYPE, WEBHOOK_HEADERS } from '../../lib/contract/event.ts'
import { signWebhook } from '../../lib/webhook/signature.ts'
import { DELIVERY_TIMEOUT_MS } from '../choices.ts'
import type { DueDelivery } from '../store/outbox.ts'
import type { AttemptOutcome } from '../store/schema.ts'

export interface Reply {
  outcome: AttemptOutcome
  /** Status of the answer; null when none came. */
  status: number | null
  /** What the receiver asked us to wait, or null. */
  retryAfterMs: number | null
}

/** Of an answer that nobody reads, so much is taken in before the connection is closed. */
const MAX_ANSWER_BYTES = 16 * 1024

export async function post(delivery: DueDelivery, at: Date, stopping: AbortSignal): Promise<Reply> {
  const timestamp = Math.floor(at.getTime() / 1000)
  const limit = AbortSignal.timeout(DELIVERY_TIMEOUT_MS)
  try {
    const response = await axios.post<Readable>(delivery.url, delivery.body, {
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'Countersign',
        [WEBHOOK_HEADERS.signature]: signWebhook({
          secret: delivery.secret.toString('base64'),
          body: delivery.body,
          timestamp,
        }),
        [WEBHOOK_HEADERS.timestamp]: String(timestamp),
        [WEBHOOK_HEADERS.eventId]: delivery.eventId,
        [WEBHOOK_HEADERS.eventType]: EVENT_TYPE,
        'X-Service-Attempt': String(delivery.attemptNumber),
      },
      signal: AbortSignal.any([limit, stopping]),
      responseType: 'stream',
      decompress: false,
      maxRedirects: 0,
      proxy: false,
      validateStatus: () => true,
    })
    await taken(response.data, limit)
    const { status } = response
    return {
      status,
      outcome: status >= 200 && status < 300 ? 'delivered' : 'http',
      retryAfterMs: retryAfter(response.headers['retry-after'], at),
    }
  } catch (failure) {
    return { status: null, outcome: limit.aborted ? 'timeout' : outcomeOf(failure), retryAfterMs: null }
  }
}

/** Reads the answer up to the cap, so that a receiver is not cut off in the middle of a short one. */
async function taken(answer: Readable, limit: AbortSignal): Promise<void> {
  const stop = () => answer.destroy(new Error('The answer took too long.'))
  limit.addEventListener('abort', stop, { once: true })
  try {
    let bytes = 0
    for await (const chunk of answer) {
      bytes += (chunk as Buffer).length
      if (bytes > MAX_ANSWER_BYTES) return
    }
  } finally {
    limit.removeEventListener('abort', stop)
    answer.destroy()
  }
}

function outcomeOf(failure: unknown): AttemptOutcome {
  const code = (axios.isAxiosError(failure) ? failure.code : undefined) ?? ''
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'dns'
  return /CERT|SSL|TLS|SELF_SIGNED|ISSUER/.test(code) ? 'tls' : 'connection'
}

/** Seconds or a date, as HTTP has it. */
function retryAfter(header: unknown, at: Date): number | null {
  if (typeof header !== 'string') return null
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - at.getTime()
  return Number.isFinite(ms) && ms > 0 ? ms : null
}
