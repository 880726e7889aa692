/**
 * Receives callbacks: bytes → verified → remembered → handed over once. It opens no port and knows no server library;
 * `webhookHandler` puts it behind node:http and Express. spec: Events › Delivery behavior
 */
import { type Clock, systemClock } from '../clock.ts'
import type { StatusEvent } from '../contract/event.ts'
import {
  createHandOver,
  type EventSource,
  type HandOverOptions,
  type HandOverOutcome,
  InProgressElsewhereError,
} from './hand-over.ts'
import { type SecretEncoding, verifyWebhook, type WebhookHeaders } from './signature.ts'
import { WebhookVerificationError } from './verification-error.ts'

export interface ReceiverOptions extends HandOverOptions {
  /** The secrets of all subscriptions that call here: one, or several while one replaces another. */
  secrets: readonly string[] | (() => readonly string[] | Promise<readonly string[]>)
  secretEncoding?: SecretEncoding | 'auto'
  /** How far the timestamp of a delivery may be from this machine's clock, in seconds, either way. */
  toleranceSeconds?: number
  /** After this time a remembered event is acknowledged although its handler still works. */
  respondWithinMs?: number
  /** Learns of everything that went wrong. Neither the error nor its message holds the body. */
  onError?: (error: unknown, event?: StatusEvent) => unknown
  clock?: Clock
}

export interface Reception {
  status: 200 | 400 | 500 | 503
  headers: Record<string, string>
  /** JSON. */
  body: string
  outcome: HandOverOutcome | 'refused' | 'failed'
  /** Set unless the callback was refused. */
  event?: StatusEvent
  /** Why, when it was refused or failed. */
  code?: string
}

export interface Receiver {
  /** Returns what to answer a callback. Never rejects. */
  receive(delivery: { payload: unknown; headers: WebhookHeaders }): Promise<Reception>
  /** Hands over, once, a change that was learned in another way. Rejects when it could not be handed over. */
  accept(event: StatusEvent, source: EventSource): Promise<HandOverOutcome>
  /**
   * Hands over what was acknowledged and not finished: by a process that died, or by a handler that failed late. Call it at
   * the start and from time to time, as a reconciler does. Returns how many.
   */
  resume(): Promise<number>
}

export function createReceiver(options: ReceiverOptions): Receiver {
  const { secrets, onError, respondWithinMs = 2000, clock = systemClock } = options
  // An error in the handler of errors has nobody left to be told to, and must not end the process.
  const report = (error: unknown, event?: StatusEvent) => {
    ;(async () => onError?.(error, event))().catch(() => {})
  }
  // A repetition was handed over already: an error in telling of it must not make the sender repeat it again.
  const onDuplicate: HandOverOptions['onDuplicate'] = async (event, context) => {
    try {
      await options.onDuplicate?.(event, context)
    } catch (failure) {
      report(failure, event)
    }
  }
  const handOver = createHandOver({ ...options, onDuplicate })

  async function accept(event: StatusEvent, source: EventSource): Promise<HandOverOutcome> {
    return (await handOver(event, source)).done
  }

  async function verified({ payload, headers }: { payload: unknown; headers: WebhookHeaders }) {
    const { toleranceSeconds = 300, secretEncoding = 'base64' } = options
    const known = typeof secrets === 'function' ? await secrets() : secrets
    return verifyWebhook({
      payload: payload as Uint8Array,
      headers,
      secrets: known,
      toleranceSeconds,
      secretEncoding,
      now: clock.now(),
    })
  }

  return {
    accept,
    async receive(delivery) {
      let event: StatusEvent | undefined
      try {
        event = await verified(delivery)
        const { done, acknowledge } = await handOver(event, 'webhook')
        done.catch((failure) => report(failure, event))
        const outcome = await within(done, respondWithinMs, clock, acknowledge).catch(() => 'failed' as const)
        return outcome === 'failed'
          ? answer(500, outcome, { event, code: 'HANDLER_FAILED' })
          : answer(200, outcome, { event })
      } catch (failure) {
        report(failure, event)
        return refusal(failure, event)
      }
    },
    async resume() {
      let count = 0
      for await (const event of options.store.abandoned()) {
        await accept(event, 'resumed').then(
          () => count++,
          (failure) => report(failure, event),
        )
      }
      return count
    },
  }
}

/** The outcome, or `accepted` when it is not known in time: the event is remembered, so its sender need not wait. */
async function within(
  done: Promise<HandOverOutcome>,
  ms: number,
  clock: Clock,
  acknowledge: () => boolean,
): Promise<HandOverOutcome> {
  let cancel = () => {}
  const late = new Promise<HandOverOutcome>((resolve) => {
    cancel = clock.after(ms, () => {
      if (acknowledge()) resolve('accepted')
    })
  })
  return Promise.race([done, late]).finally(cancel)
}

function refusal(failure: unknown, event?: StatusEvent): Reception {
  if (!(failure instanceof WebhookVerificationError)) {
    const code = failure instanceof InProgressElsewhereError ? failure.code : 'UNAVAILABLE'
    return answer(503, 'failed', { event, code }, { 'retry-after': '30' })
  }
  const { code, isOwnFault } = failure
  return isOwnFault ? answer(500, 'failed', { code }) : answer(400, 'refused', { code })
}

function answer(
  status: Reception['status'],
  outcome: Reception['outcome'],
  { event, code }: { event?: StatusEvent | undefined; code?: string },
  headers: Record<string, string> = {},
): Reception {
  return {
    status,
    outcome,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
    body: JSON.stringify(code ? { errors: [code] } : { outcome }),
    ...(event && { event }),
    ...(code && { code }),
  }
}
