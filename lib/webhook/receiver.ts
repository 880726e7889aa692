/**
 * Receives callbacks: bytes → verified → remembered → handed over once. It opens no port and knows no server library;
 * `webhookHandler` puts it behind node:http and Express. spec: Events › Delivery behavior
 */
import { reporter } from '../client/reporter.ts'
import { type Clock, systemClock } from '../clock.ts'
import type { StatusEvent } from '../contract/event.ts'
import { utcTime } from '../contract/utc-time.ts'
import type { ProfileInput } from '../profile/host-profile.ts'
import { profileOf } from '../profile/parse-profile.ts'
import { createHandOver, type EventSource, type HandOverOptions, type HandOverOutcome } from './hand-over.ts'
import type { OnceStore } from './once-store.ts'
import { accepted, handlerFailed, type Reception, refusal } from './reception.ts'
import { type SecretEncoding, verifyWebhook, type WebhookHeaders } from './signature.ts'

/** Which secrets a receiver believes, what it remembers events in, and whom it hands them to. */
export interface ReceiverOptions extends HandOverOptions {
  /** The secrets of all subscriptions that call here: one, or several while one replaces another. */
  secrets: readonly string[] | (() => readonly string[] | Promise<readonly string[]>)
  /** How the host speaks: its headers, secrets and timestamps. Optional; our own service by default. */
  profile?: ProfileInput
  /** That of the profile when omitted; `auto` tries both. */
  secretEncoding?: SecretEncoding | 'auto'
  /** How far the timestamp of a delivery may be from this machine's clock, in seconds, either way. Optional; that of the profile by default. */
  toleranceSeconds?: number
  /** After this time a remembered event is acknowledged although its handler still works. Optional; 2,000 ms by default. */
  respondWithinMs?: number
  /** Called for everything that went wrong. Neither the error nor its message holds the body. */
  onError?: (error: unknown, event?: StatusEvent) => unknown
  /** Judges the time of a callback, and times `respondWithinMs`. Optional; that of the system by default. */
  clock?: Clock
}

/** A callback as it came in. */
export interface Delivery {
  /** The bytes of the body, before any parser. */
  payload: unknown
  /** The headers as the server gives them. */
  headers: WebhookHeaders
}

/** Takes callbacks, verified and once each. Made by `createReceiver`. */
export interface Receiver {
  /** Returns what to answer a callback. Never rejects. */
  receive(delivery: Delivery): Promise<Reception>
  /** Hands over, once, a change that was learned in another way. Rejects when it could not be handed over. */
  accept(event: StatusEvent, source: EventSource): Promise<HandOverOutcome>
  /**
   * Hands over what was acknowledged and not finished: by a process that died, or by a handler that failed late. Call it at
   * the start and from time to time, as a reconciler does. The tasks take turns, a few at once; the events of one go in the order in
   * which they occurred, before those that come in the meantime. Callbacks need not wait for the end of it. Returns how many.
   */
  resume(): Promise<number>
  /**
   * Ends the handing over: answers 503 from now on, and leaves what is acknowledged and not finished to the `resume` of the next
   * receiver, as it does what fails while it closes. Resolves when no handler is at work any more.
   */
  close(): Promise<void>
}

/** Returns a receiver for any server: it takes bytes and headers and says what to answer. Throws when the profile is wrong. */
export function createReceiver(options: ReceiverOptions): Receiver {
  const { store, respondWithinMs = 2000, clock = systemClock } = options
  const report = reporter(options.onError)
  // A profile that is wrong is told now, and not to the first callback.
  profileOf(options.profile)
  const handOver = createHandOver({ ...options, onDuplicate: reported(options.onDuplicate, report) })
  const accept = async (event: StatusEvent, source: EventSource) => (await handOver.begin(event, source)).done
  /** Resolves when the events that are resumed have their places; never rejects. */
  let placed: Promise<unknown> = Promise.resolve()

  return {
    accept,
    async receive(delivery) {
      let event: StatusEvent | undefined
      try {
        event = await verified(delivery, options, clock)
        await placed
        const { done, acknowledge } = await handOver.begin(event, 'webhook')
        done.catch((failure) => report(failure, event))
        const outcome = await within(done, respondWithinMs, clock, acknowledge).catch(() =>
          acknowledge() ? ('accepted' as const) : ('failed' as const),
        )
        return outcome === 'failed' ? handlerFailed(event) : accepted(event, outcome)
      } catch (failure) {
        report(failure, event)
        return refusal(failure, event)
      }
    },
    async resume() {
      let count = 0
      const resumed = async (event: StatusEvent) => {
        await accept(event, 'resumed').then(
          () => count++,
          (failure) => report(failure, event),
        )
      }
      const placing = inOrder(store).then((events) => events.map(resumed))
      placed = placing.catch(() => {})
      await Promise.all(await placing)
      return count
    },
    async close() {
      await handOver.close()
      await placed
    },
  }
}

/** The abandoned events, those that occurred first at the beginning. */
async function inOrder(store: OnceStore): Promise<StatusEvent[]> {
  const events: StatusEvent[] = []
  for await (const event of store.abandoned()) events.push(event)
  return events.toSorted((a, b) => utcTime(a.occurredAtUtc) - utcTime(b.occurredAtUtc))
}

/** A repeated event was handed over before: when telling of it fails, its sender need not repeat it once more. */
function reported(
  onDuplicate: HandOverOptions['onDuplicate'],
  report: (error: unknown, event?: StatusEvent) => void,
): NonNullable<HandOverOptions['onDuplicate']> {
  return async (event, context) => {
    try {
      await onDuplicate?.(event, context)
    } catch (failure) {
      report(failure, event)
    }
  }
}

async function verified(
  { payload, headers }: Delivery,
  { secrets, toleranceSeconds, secretEncoding, profile }: ReceiverOptions,
  clock: Clock,
): Promise<StatusEvent> {
  return verifyWebhook({
    payload: payload as Uint8Array,
    headers,
    secrets: typeof secrets === 'function' ? await secrets() : secrets,
    ...(toleranceSeconds !== undefined && { toleranceSeconds }),
    ...(secretEncoding && { secretEncoding }),
    ...(profile && { profile }),
    now: clock.now(),
  })
}

/** Resolves with the outcome, or `accepted` when it is not known in time: the event is remembered, so its sender need not wait. */
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
