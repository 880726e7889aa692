/** The dispatcher's requests to the store, look for look: new events, what is due, and the results of attempts. */
import { type Clock, timeOf } from '../../../lib/clock.ts'
import { DELIVERY_LEASE_MS, DELIVERY_SLOTS, RETRY_SLOTS } from '../../choices.ts'
import { type Attempts, choose, nextChoice, type Queue } from '../../domain/delivery/lanes.ts'
import type { Settlement } from '../../store/delivery/settlements.ts'
import type { Store } from '../../store/store.ts'
import type { ClaimedDelivery } from './deliver.ts'
import type { Endpoints } from './endpoints.ts'

export interface ClaimingParts {
  store: Pick<Store, 'outbox'>
  clock: Clock
  /** Names this process among those that share the store; never used before. */
  lease: string
  onFault(fault: unknown): void
}

/** How often it looks for events that other processes have left. */
export const LOOK_EVERY_MS = 2_000
const FAN_OUT_AT_ONCE = 200

/**
 * Claims what is due, and writes in the same transaction what came of the attempts that have ended since: the places that they
 * leave are taken at once, and both share a sync. When the transaction fails, what they were about is due again after its lease.
 */
export function createClaiming({ clock, lease, onFault, store: { outbox } }: ClaimingParts, endpoints: Endpoints) {
  let settlements: Settlement[] = []
  /** When new events were last looked for; null: someone has announced some since, or the look failed. */
  let lookedAt: number | null = null
  /** The queues that the last claim found, if there was nothing to claim. */
  let idleQueues: readonly Queue[] | null = null

  function taken(): Settlement[] {
    const all = settlements
    settlements = []
    return all
  }

  async function fanOut(): Promise<void> {
    const now = clock.now()
    // The clock may have been set back since.
    if (lookedAt !== null && Math.abs(now - lookedAt) < LOOK_EVERY_MS) return
    lookedAt = now
    try {
      while ((await outbox.fanOut(new Date(now), FAN_OUT_AT_ONCE)) === FAN_OUT_AT_ONCE);
    } catch (failure) {
      lookedAt = null
      throw failure
    }
  }

  function nextDue(queues: readonly Queue[]): Date | null {
    endpoints.hear(queues)
    const next = nextChoice(queues, { free: freeSlots(endpoints), ...endpoints })
    return next === null ? null : new Date(next)
  }

  async function claim(limit: number): Promise<ClaimedDelivery[]> {
    const now = clock.now()
    const free = { all: limit, retries: freeSlots(endpoints).retries }
    const leaseUntil = now + DELIVERY_LEASE_MS
    idleQueues = null
    const claimed = await outbox.claim({
      at: new Date(now),
      leaseUntil: new Date(leaseUntil),
      lease,
      settlements: taken(),
      choose(queues) {
        endpoints.hear(queues)
        const takings = choose(queues, { now, free, ...endpoints })
        if (takings.length === 0) idleQueues = queues
        return takings
      },
      onUnreadable: onFault,
    })
    // Left out: one that is still being sent from here though its lease has ended, as when the clock was put forward.
    return claimed.filter((delivery) => endpoints.begin(delivery)).map((delivery) => ({ delivery, leaseUntil }))
  }

  return {
    /** There are new events. */
    eventsCame(): void {
      lookedAt = null
    },
    ended: (settlement: Settlement): void => void settlements.push(settlement),

    async claim(limit: number): Promise<ClaimedDelivery[]> {
      await fanOut()
      for (;;) {
        const wrote = settlements.length > 0
        const claimed = await claim(limit)
        // The results just written may have made something due.
        if (claimed.length > 0 || !wrote) return claimed
      }
    },

    /** Writes what came of attempts without claiming more. */
    write: (): Promise<void> => outbox.settle(taken(), lease, timeOf(clock)),

    nextDue: async (): Promise<Date | null> => nextDue(await outbox.queues()),

    /** The same, right after a claim. */
    nextDueThen: async (): Promise<Date | null> => nextDue(idleQueues ?? (await outbox.queues())),
  }
}

function freeSlots(endpoints: Endpoints): Attempts {
  const { all, retries } = endpoints.underWay()
  return { all: DELIVERY_SLOTS - all, retries: RETRY_SLOTS - retries }
}
