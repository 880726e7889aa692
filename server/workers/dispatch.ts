/** The dispatcher: takes events out of the outbox, makes a delivery for each subscription, and tries each until it is received. */
import { type Clock, timeOf } from '../../lib/clock.ts'
import {
  DELIVERY_LEASE_MS,
  DELIVERY_SLOTS,
  DELIVERY_TIMEOUT_MS,
  ENDPOINT_POLICY,
  MAX_RETRY_AFTER_MS,
  RETRY_DELAYS_MS,
  RETRY_SLOTS,
} from '../choices.ts'
import { type Attempts, choose, nextChoice } from '../domain/delivery/lanes.ts'
import { type RetryPolicy, retryDelay } from '../domain/delivery/retry.ts'
import type { DueDelivery } from '../store/delivery/due.ts'
import type { DeliveryOutcome, Settlement } from '../store/delivery/settlements.ts'
import type { Store } from '../store/store.ts'
import { createBatch } from './batch.ts'
import { createEndpoints } from './endpoints.ts'
import type { Poster, Reply } from './post.ts'
import { createWorker, type Worker } from './worker.ts'

export interface DispatchParts {
  store: Pick<Store, 'outbox'>
  poster: Poster
  clock: Clock
  /** From 0 to 1. */
  random(): number
  /** Attempts that each receiver gets in a minute at most; no limit when left out. */
  perMinute?: number | undefined
  /** Names this process among those that share the store; never used before. */
  lease: string
  onFault(fault: unknown): void
}

export interface Dispatcher extends Worker {
  /** Cuts off what is under way; it is due again at once, and counts as no attempt. */
  abandon(): void
}

interface Claimed {
  delivery: DueDelivery
  /** In ms since 1970. */
  leaseUntil: number
}

/** What was claimed so lately was seen to be wanted at that moment; later it is looked at once more before it is dialled. */
const FRESH_MS = 50
const LOOK_EVERY_MS = 2_000
/** Whose name was not looked up in time lets what waits for other receivers go first. */
const NO_TURN_PAUSE_MS = 2_000
const FAN_OUT_AT_ONCE = 200
const POLICY: RetryPolicy = { delaysMs: RETRY_DELAYS_MS, maxRetryAfterMs: MAX_RETRY_AFTER_MS }

export function createDispatcher(parts: DispatchParts): Dispatcher {
  const { store, poster, clock, random, lease, onFault } = parts
  const endpoints = createEndpoints(ENDPOINT_POLICY, clock.now, parts.perMinute)
  const cutOff = new AbortController()
  const settle = createBatch<Settlement>(
    (settlements) => store.outbox.settle(settlements, lease, timeOf(clock)),
    DELIVERY_SLOTS,
  )
  const giveBack = createBatch<DueDelivery>((deliveries) => store.outbox.release(deliveries, lease), DELIVERY_SLOTS)

  const freeNow = (): Attempts => {
    const { all, retries } = endpoints.underWay()
    return { all: DELIVERY_SLOTS - all, retries: RETRY_SLOTS - retries }
  }

  async function claim(limit: number): Promise<Claimed[]> {
    while ((await store.outbox.fanOut(timeOf(clock), FAN_OUT_AT_ONCE)) === FAN_OUT_AT_ONCE);
    const now = clock.now()
    const free = { ...freeNow(), all: limit }
    const leaseUntil = now + DELIVERY_LEASE_MS
    const claimed = await store.outbox.claim({
      at: new Date(now),
      leaseUntil: new Date(leaseUntil),
      lease,
      choose: (queues) => choose(queues, { now, free, ...endpoints }),
      onUnreadable: onFault,
    })
    // One whose lease ended while it is still being sent from here, as when the clock was put forward.
    return claimed.filter((delivery) => endpoints.begin(delivery)).map((delivery) => ({ delivery, leaseUntil }))
  }

  async function deliver({ delivery, leaseUntil }: Claimed): Promise<void> {
    try {
      const heldMs = clock.now() - (leaseUntil - DELIVERY_LEASE_MS)
      const isWanted = heldMs < FRESH_MS || (await store.outbox.isWanted(delivery, lease))
      const hasTime = clock.now() + DELIVERY_TIMEOUT_MS <= leaseUntil
      if (!isWanted || !hasTime || cutOff.signal.aborted) return await giveBack(delivery)
      const calledAt = clock.now()
      const reply = await poster.post(delivery, cutOff.signal)
      if (reply === null) return await giveBack({ ...delivery, dueAt: new Date(clock.now() + NO_TURN_PAUSE_MS) })
      if (cutOff.signal.aborted && reply.outcome === 'connection') return await giveBack(delivery)
      const at = timeOf(clock)
      endpoints.note(delivery, reply, at)
      const { retryAfterMs, waitedMs, ...result } = reply
      const startedAt = new Date(calledAt + waitedMs)
      const durationMs = Math.max(0, at.getTime() - startedAt.getTime())
      await settle({ delivery, result: { ...result, startedAt, durationMs }, outcome: outcomeOf(delivery, reply, at) })
    } finally {
      endpoints.end(delivery)
    }
  }

  function outcomeOf(
    { attemptInRound }: DueDelivery,
    { outcome, status, retryAfterMs }: Reply,
    at: Date,
  ): DeliveryOutcome {
    if (outcome === 'delivered') return { state: 'delivered' }
    if (status === 410) return { state: 'gone' }
    const delay = retryDelay(POLICY, attemptInRound, random(), retryAfterMs)
    return delay === null ? { state: 'failed' } : { state: 'waiting', dueAt: new Date(at.getTime() + delay) }
  }

  const worker = createWorker<Claimed>({
    clock,
    slots: DELIVERY_SLOTS,
    lookEveryMs: LOOK_EVERY_MS,
    claim,
    run: deliver,
    async nextDue() {
      const next = nextChoice(await store.outbox.queues(), { free: freeNow(), ...endpoints })
      return next === null ? null : new Date(next)
    },
    onFault,
  })

  return {
    ...worker,
    abandon: () => cutOff.abort(),
    async stop() {
      await worker.stop()
      poster.close()
    },
  }
}
