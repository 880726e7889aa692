/**
 * Receives the events of one webhook node: keeps its subscription, verifies what comes with the subscription's secrets, and
 * hands each event over once.
 */
import type { StatusEvent } from '../../../lib/contract/event.ts'
import type { Journal } from '../../../lib/journal/journal.ts'
import { defaultProfile } from '../../../lib/profile/parse-profile.ts'
import { createOnceStore } from '../../../lib/webhook/once-store.ts'
import { createReceiver, type Receiver } from '../../../lib/webhook/receiver.ts'
import { NodeError } from '../runtime/failures.ts'
import { loopbackUrl } from '../runtime/loopback.ts'
import type { Config, Runtime, RuntimeNode } from '../runtime/node-red.ts'
import { type Answer, fullPath, type Receive } from '../runtime/route.ts'
import { RUN } from '../runtime/run.ts'
import type { ServiceNode } from '../service/connection.ts'
import {
  endSubscription,
  keepSubscription,
  keptSecrets,
  SUBSCRIPTIONS,
  type SubscriptionPlace,
} from './subscription.ts'

export interface EventReceiverOptions {
  runtime: Runtime
  node: RuntimeNode
  config: Config
  service: ServiceNode
  /** The secrets entered by hand; undefined when the node keeps a subscription, which brings its own. */
  secrets: string[] | undefined
  /** Resolves when the flow has the event; the next one of its task waits for that. Rejects when aborted. */
  onEvent: (event: StatusEvent) => Promise<void>
  onError: (failure: unknown) => void
  /** Aborted when the node closes. */
  signal: AbortSignal
}

export interface EventReceiver {
  /**
   * Resolves when events are received. What an earlier start has left is handed over alongside them. Rejects when the service or the
   * journal fails, and can then be called again.
   */
  open(): Promise<void>
  /** Answers 503 until the receiver is open. */
  receive: Receive
  /** Resolves when no event is under way any more. Those that the flow does not have stay in the journal for the next start. */
  close(): Promise<void>
  /** Ends the subscription, if there is one. */
  endSubscription(): Promise<void>
}

export function createEventReceiver(options: EventReceiverOptions): EventReceiver {
  const { node, config, service, onEvent, onError, signal } = options
  let subscription: SubscriptionPlace | undefined
  let receiver: Receiver | undefined
  let stopResuming = () => {}

  const subscribe = async () => {
    const { client } = await service.connect()
    const url = await urlOf(options)
    const place = { client, journal: await service.journal(SUBSCRIPTIONS), owner: node.id }
    subscription = place
    if (!service.shared) return keepSubscription({ ...place, url, signal })
    await oneAtATime(await service.journal(SUBSCRIBING), node.id, () => keepSubscription({ ...place, url, signal }))
    // Another process may have made the subscription again since.
    return () => keptSecrets(place)
  }

  return {
    async open() {
      const { shared } = service
      // The journal in a folder belongs to this node, which has ended before it starts again.
      const store = createOnceStore(
        await service.journal(`events-${node.id}`),
        shared ? { now: shared.clock.now, claimMs: CLAIM_MS } : { isAlone: true },
      )
      const opened = createReceiver({
        secrets: options.secrets ?? (await subscribe()),
        profile: service.speech().profile,
        ...(config.secretEncoding === 'utf8' && { secretEncoding: 'utf8' as const }),
        ...(isOwnTolerance(config) && { toleranceSeconds: Number(config.tolerance) }),
        store,
        onEvent,
        onError,
      })
      signal.throwIfAborted()
      receiver = opened
      // Reading its tasks may take long, and new events must not wait for that.
      void opened.resume().catch(onError)
      stopResuming()
      let resumedAt = performance.now()
      // A claim of a process that has ended is free once it is over.
      stopResuming = service.onBeat(() => {
        if (performance.now() - resumedAt < CLAIM_MS) return
        resumedAt = performance.now()
        void opened.resume().catch(onError)
      })
    },
    receive: async (payload, headers) => receiver?.receive({ payload, headers }) ?? NOT_READY,
    async close() {
      stopResuming()
      await receiver?.close()
    },
    async endSubscription() {
      if (subscription) await endSubscription(subscription)
    },
  }
}

/** How long an event that a process has begun to hand over is left to it. */
const CLAIM_MS = 60_000

/** The part of the journal that says which process is about to make a subscription. */
const SUBSCRIBING = 'subscribing'
const SUBSCRIBING_MS = 30_000

/** Does the work unless another process is at it, which is an error: the caller tries again later. */
async function oneAtATime<T>(journal: Journal, key: string, work: () => Promise<T>): Promise<T> {
  const other = await journal.change<string>(key, (by) => (by === undefined ? RUN : undefined), SUBSCRIBING_MS)
  if (other !== undefined && other !== RUN)
    throw new NodeError('SUBSCRIBING_ELSEWHERE', 'Another process makes the subscription. This one looks again.')
  try {
    return await work()
  } finally {
    await journal.delete(key)
  }
}

/** The form's default leaves the tolerance to the profile of the host. */
const isOwnTolerance = ({ tolerance }: Config): boolean =>
  Number(tolerance) > 0 && Number(tolerance) !== defaultProfile.webhook.toleranceSeconds

/** Until the secrets are known, nothing can be verified. The service tries again. */
const NOT_READY: Answer = {
  status: 503,
  headers: { 'content-type': 'application/json', 'retry-after': '5' },
  body: JSON.stringify({ errors: ['NOT_READY'] }),
}

/** The address that the service calls: the one entered, or that of this machine. */
const urlOf = async ({ runtime, config, signal }: EventReceiverOptions): Promise<string> =>
  String(config.publicUrl || '') || loopbackUrl(runtime, fullPath(runtime.httpNode, String(config.path)), signal)
