/** The dispatcher: takes events out of the outbox, makes a delivery for each subscription, and tries each until it is received. */

import { type Clock, timeOf } from '../../lib/clock.ts'
import { DELIVERY_LEASE_MS, MAX_RETRY_AFTER_MS, RETRY_DELAYS_MS, RETRY_JITTER } from '../choices.ts'
import { type RetryPolicy, retryDelay } from '../domain/retry.ts'
import type { AttemptVerdict, DueDelivery } from '../store/outbox.ts'
import type { Store } from '../store/store.ts'
import { post, type Reply } from './post.ts'
import { createWorker, type Worker } from './worker.ts'

export interface DispatchParts {
  store: Pick<Store, 'outbox'>
  clock: Clock
  /** From 0 to 1. */
  random(): number
  onFault(fault: unknown): void
}

/** Deliveries under way at once, and of these to one subscription, so that a slow receiver does not hold up the others. */
const SLOTS = 32
const SLOTS_PER_SUBSCRIPTION = 6
const LOOK_EVERY_MS = 2_000
const FAN_OUT_AT_ONCE = 200
const POLICY: RetryPolicy = {
  delaysMs: RETRY_DELAYS_MS,
  jitter: RETRY_JITTER,
  maxRetryAfterMs: MAX_RETRY_AFTER_MS,
}

export function createDispatcher({ store, clock, random, onFault }: DispatchParts): Worker {
  const underWay = new Map<number, number>()
  let stopping = new AbortController()

  async function claim(limit: number): Promise<DueDelivery[]> {
    while ((await store.outbox.fanOut(timeOf(clock), FAN_OUT_AT_ONCE)) === FAN_OUT_AT_ONCE);
    const busy = [...underWay].filter(([, count]) => count >= SLOTS_PER_SUBSCRIPTION).map(([id]) => id)
    const leaseUntil = new Date(clock.now() + DELIVERY_LEASE_MS)
    const claimed = await store.outbox.claim(timeOf(clock), leaseUntil, Math.min(limit, SLOTS_PER_SUBSCRIPTION), busy)
    for (const { subscriptionId } of claimed) underWay.set(subscriptionId, (underWay.get(subscriptionId) ?? 0) + 1)
    return claimed
  }

  async function deliver(delivery: DueDelivery): Promise<void> {
    const startedAt = timeOf(clock)
    try {
      const reply = await post(delivery, startedAt, stopping.signal)
      if (stopping.signal.aborted && reply.outcome !== 'delivered') return
      const at = timeOf(clock)
      const durationMs = at.getTime() - startedAt.getTime()
      await store.outbox.settle(delivery, { ...reply, startedAt, durationMs }, verdict(delivery, reply, at), at)
    } finally {
      const left = (underWay.get(delivery.subscriptionId) ?? 1) - 1
      if (left > 0) underWay.set(delivery.subscriptionId, left)
      else underWay.delete(delivery.subscriptionId)
    }
  }

  function verdict({ attemptNumber }: DueDelivery, { outcome, status, retryAfterMs }: Reply, at: Date): AttemptVerdict {
    if (outcome === 'delivered') return { state: 'delivered' }
    if (status === 410) return { state: 'gone' }
    const delay = retryDelay(POLICY, attemptNumber, random(), retryAfterMs)
    return delay === null ? { state: 'failed' } : { state: 'waiting', dueAt: new Date(at.getTime() + delay) }
  }

  const worker = createWorker<DueDelivery>({
    clock,
    slots: SLOTS,
    lookEveryMs: LOOK_EVERY_MS,
    claim,
    run: deliver,
    nextDue: () => store.outbox.nextDue(),
    onFault,
  })

  return {
    ...worker,
    start() {
      stopping = new AbortController()
      worker.start()
    },
    async stop() {
      // What is cut off here is due again when its lease ends: at least once, never lost.
      stopping.abort()
      await worker.stop()
    },
  }
}
