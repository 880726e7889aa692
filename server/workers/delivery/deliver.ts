/** Works off one claimed delivery: makes the attempt if it is still wanted, and tells what came of it and what follows. */
import { type Clock, timeOf } from '../../../lib/clock.ts'
import {
  DELIVERY_LEASE_MS,
  DELIVERY_SLOTS,
  DELIVERY_TIMEOUT_MS,
  MAX_RETRY_AFTER_MS,
  RETRY_DELAYS_MS,
} from '../../choices.ts'
import type { AttemptOutcome } from '../../domain/delivery/attempt.ts'
import { type RetryPolicy, retryDelay } from '../../domain/delivery/retry.ts'
import type { DueDelivery } from '../../store/delivery/due.ts'
import type { DeliveryOutcome, Settlement } from '../../store/delivery/settlements.ts'
import type { Store } from '../../store/store.ts'
import { createBatch } from '../batch.ts'
import type { Endpoints } from './endpoints.ts'
import type { Poster } from './post.ts'
import type { Reply } from './reply.ts'

export interface ClaimedDelivery {
  delivery: DueDelivery
  /** In milliseconds since 1970. */
  leaseUntil: number
}

export interface DeliverParts {
  store: Pick<Store, 'outbox'>
  poster: Poster
  clock: Clock
  /** Returns a number from 0 to 1. */
  random(): number
  /** Names this process among those that share the store. */
  lease: string
  endpoints: Pick<Endpoints, 'learn' | 'end'>
  /** Cuts off every attempt; what was claimed is given back. */
  cutOff(): AbortSignal
  /** Called with the result of an attempt that has ended. */
  onEnd(settlement: Settlement): void
  /** Called with the result of each attempt. */
  onAttempt?: (outcome: AttemptOutcome) => void
}

/** A delivery that was claimed this lately was still wanted then; later the store is asked again before the receiver is called. */
const FRESH_MS = 50
/** A delivery whose receiver's name got no turn to be looked up is put off, so that those for other receivers go first. */
const NO_TURN_PAUSE_MS = 2_000
const POLICY: RetryPolicy = { delaysMs: RETRY_DELAYS_MS, maxRetryAfterMs: MAX_RETRY_AFTER_MS }

export function createDeliver(parts: DeliverParts): (claimed: ClaimedDelivery) => Promise<void> {
  const { store, poster, clock, random, lease, endpoints } = parts
  const wanted = createBatch<DueDelivery, ReadonlySet<DueDelivery>>(
    (deliveries) => store.outbox.wanted(deliveries, lease),
    DELIVERY_SLOTS,
  )
  const giveBack = createBatch<DueDelivery>((deliveries) => store.outbox.release(deliveries, lease), DELIVERY_SLOTS)

  async function deliver({ delivery, leaseUntil }: ClaimedDelivery): Promise<void> {
    const cutOff = parts.cutOff()
    const heldMs = clock.now() - (leaseUntil - DELIVERY_LEASE_MS)
    const isWanted = heldMs < FRESH_MS || (await wanted(delivery)).has(delivery)
    const hasTime = clock.now() + DELIVERY_TIMEOUT_MS <= leaseUntil
    if (!isWanted || !hasTime || cutOff.aborted) return giveBack(delivery)
    const calledAt = clock.now()
    const reply = await poster.post(delivery, cutOff)
    if (reply === null) return giveBack({ ...delivery, dueAt: new Date(clock.now() + NO_TURN_PAUSE_MS) })
    if (cutOff.aborted && reply.outcome === 'connection') return giveBack(delivery)
    const at = timeOf(clock)
    const finding = endpoints.learn(delivery, reply, at)
    parts.onAttempt?.(reply.outcome)
    const { retryAfterMs, waitedMs, ...result } = reply
    const startedAt = new Date(calledAt + waitedMs)
    const durationMs = Math.max(0, at.getTime() - startedAt.getTime())
    const outcome = outcomeOf(delivery, reply, at, random)
    parts.onEnd({ delivery, result: { ...result, startedAt, durationMs }, outcome, finding })
  }

  return async (claimed) => {
    try {
      await deliver(claimed)
    } finally {
      endpoints.end(claimed.delivery)
    }
  }
}

function outcomeOf(
  { attemptInRound }: DueDelivery,
  { outcome, status, retryAfterMs }: Reply,
  at: Date,
  random: () => number,
): DeliveryOutcome {
  if (outcome === 'delivered') return { state: 'delivered' }
  if (status === 410) return { state: 'gone' }
  const delay = retryDelay(POLICY, attemptInRound, random(), retryAfterMs)
  return delay === null ? { state: 'failed' } : { state: 'waiting', dueAt: new Date(at.getTime() + delay) }
}
