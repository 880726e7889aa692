/** The dispatcher: takes events out of the outbox, makes a delivery for each subscription, and tries each until it is received. */
import { type Clock, timeOf } from '../../../lib/clock.ts'
import { DELIVERY_LEASE_MS, DELIVERY_SLOTS, ENDPOINT_POLICY, RETRY_SLOTS } from '../../choices.ts'
import type { AttemptOutcome } from '../../domain/delivery/attempt.ts'
import { type Attempts, choose, nextChoice } from '../../domain/delivery/lanes.ts'
import type { Store } from '../../store/store.ts'
import { createWorker, type Worker } from '../worker.ts'
import { type ClaimedDelivery, createDeliver } from './deliver.ts'
import { createEndpoints, type Endpoints } from './endpoints.ts'
import type { Poster } from './post.ts'

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
  /** Learns what came of each attempt. */
  onAttempt?: (outcome: AttemptOutcome) => void
}

export interface Dispatcher extends Worker {
  /** Cuts off the attempts under way; their deliveries are due again at once, and the attempts do not count. */
  abandon(): void
}

const LOOK_EVERY_MS = 2_000
const FAN_OUT_AT_ONCE = 200

export function createDispatcher(parts: DispatchParts): Dispatcher {
  const { clock, poster, onFault } = parts
  const endpoints = createEndpoints(ENDPOINT_POLICY, clock.now, parts.perMinute)
  const cutOff = new AbortController()
  const worker = createWorker<ClaimedDelivery>({
    clock,
    slots: DELIVERY_SLOTS,
    lookEveryMs: LOOK_EVERY_MS,
    claim: (limit) => claim(parts, endpoints, limit),
    run: createDeliver({ ...parts, endpoints, cutOff: cutOff.signal }),
    nextDue: () => nextDue(parts, endpoints),
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

async function claim(parts: DispatchParts, endpoints: Endpoints, limit: number): Promise<ClaimedDelivery[]> {
  const { clock, lease, onFault } = parts
  const { outbox } = parts.store
  while ((await outbox.fanOut(timeOf(clock), FAN_OUT_AT_ONCE)) === FAN_OUT_AT_ONCE);
  const now = clock.now()
  const free = { all: limit, retries: freeSlots(endpoints).retries }
  const leaseUntil = now + DELIVERY_LEASE_MS
  const claimed = await outbox.claim({
    at: new Date(now),
    leaseUntil: new Date(leaseUntil),
    lease,
    choose(queues) {
      endpoints.hear(queues)
      return choose(queues, { now, free, ...endpoints })
    },
    onUnreadable: onFault,
  })
  // Left out: one that is still being sent from here though its lease has ended, as when the clock was put forward.
  return claimed.filter((delivery) => endpoints.begin(delivery)).map((delivery) => ({ delivery, leaseUntil }))
}

async function nextDue({ store }: DispatchParts, endpoints: Endpoints): Promise<Date | null> {
  const queues = await store.outbox.queues()
  endpoints.hear(queues)
  const next = nextChoice(queues, { free: freeSlots(endpoints), ...endpoints })
  return next === null ? null : new Date(next)
}

function freeSlots(endpoints: Endpoints): Attempts {
  const { all, retries } = endpoints.underWay()
  return { all: DELIVERY_SLOTS - all, retries: RETRY_SLOTS - retries }
}
