/** The delivery log for people: what was sent to whom, and each attempt. It shows ids and states, never a body or a URL. */
import type { TaskStatus } from '../../../lib/contract/task/task.ts'
import type { DeliveryState, SubscriptionState } from '../../domain/delivery/attempt.ts'
import type { StoreContext } from '../context.ts'
import type { Sealed } from '../sealing/cipher.ts'
import { type Attempt, attemptsOf, trimAttempts } from './attempt-log.ts'
import { type DeliveryFilter, matching, orderOf, type StateFilter, stateByState } from './delivery-filter.ts'
import { addressOf } from './due.ts'
import { findingFor } from './findings.ts'
import { countRedeliverable, type Redelivered, type Redelivery, redeliver } from './redelivery.ts'

export interface Delivery {
  id: number
  eventId: string
  taskId: number
  /** The status that the event reports. */
  status: TaskStatus
  organizationId: number
  subscriptionId: number
  /** The present state, not that when the delivery ended. */
  subscriptionState: SubscriptionState
  state: DeliveryState
  /** How many attempts ended. */
  attempts: number
  occurredAt: string
  updatedAt: string
  /** When the next attempt is due, its receiver's pause included; null when none is. */
  nextAttemptAt: string | null
  /** The pause of the receiver, which the next attempt waits for; null without one, and for what was resent by hand. */
  heldBy: HeldBy | null
  isUnderWay: boolean
}

export interface HeldBy {
  reason: 'down' | 'overloaded'
  until: string
}

export const deliveries = (context: StoreContext) => ({
  /** Newest first; `before` is the id of the last delivery of the page before. */
  list: (filter: DeliveryFilter, limit: number, before?: number): Promise<Delivery[]> =>
    list(context, filter, limit, before),

  /** The attempts of a delivery, in order. */
  attempts: (deliveryId: number): Promise<Attempt[]> => attemptsOf(context, deliveryId),

  /**
   * Sends again, at once and with the same body and event id: what waits for its next try is not waited for, and what had
   * ended begins its schedule again. Left out are deliveries of subscriptions that are not active and those being sent at
   * this moment. The oldest go first, as many as one call may send again.
   */
  redeliver: (filter: DeliveryFilter, at: Date, how: Redelivery = {}): Promise<Redelivered> =>
    redeliver(context, filter, at, how),

  /** The count that `redeliver` would return; it changes nothing, and stops counting there. */
  countRedeliverable: (filter: DeliveryFilter, at: Date, how: Redelivery = {}): Promise<Redelivered> =>
    countRedeliverable(context, filter, at, how),

  /** Shortens the log of attempts: those that began before `before`, and the oldest beyond `maxRows`. Returns how many went. */
  trimAttempts: (before: Date, maxRows: number): Promise<number> => trimAttempts(context, before, maxRows),
})

/** Each state is a page of its own, read in the order of its index; together they hold the page that is asked for. */
async function list(
  context: StoreContext,
  filter: DeliveryFilter,
  limit: number,
  before?: number,
): Promise<Delivery[]> {
  const pages = await Promise.all(stateByState(filter).map((one) => page(context, one, limit, before)))
  if (pages.length === 1) return pages[0]!
  return pages
    .flat()
    .sort((a, b) => b.id - a.id)
    .slice(0, limit)
}

async function page({ db }: StoreContext, filter: StateFilter, limit: number, before?: number): Promise<Delivery[]> {
  let query = matching(db, filter)
  if (before !== undefined) query = query.where(orderOf(filter), '<', before)
  const rows = await query
    .select(['d.id', 'd.eventId', 'e.taskId', 'e.status', 'd.organizationId', 'd.subscriptionId', 'd.state'])
    .select(['d.attempts', 'e.occurredAt', 'd.updatedAt', 'd.dueAt', 'd.lease', 'd.nextTrigger'])
    .select(['s.isActive', 's.deletedAt', 's.sealedUrl', 's.finding'])
    .orderBy(orderOf(filter), 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ dueAt, lease, nextTrigger, isActive, deletedAt, sealedUrl, finding, ...row }) => {
    const waits = row.state === 'waiting' && lease === null
    const pause = waits && nextTrigger === 'scheduled' && sealedUrl !== null ? pauseOf(sealedUrl, finding) : null
    // A pause that ends before the attempt is due holds nothing.
    const heldBy = pause && pause.until > dueAt ? pause : null
    return {
      ...row,
      subscriptionState: deletedAt !== null ? 'deleted' : isActive === 1 ? 'active' : 'inactive',
      nextAttemptAt: waits ? (heldBy?.until ?? dueAt) : null,
      heldBy,
      isUnderWay: row.state === 'waiting' && lease !== null,
    }
  })
}

function pauseOf(sealedUrl: Sealed, column: string | null): HeldBy | null {
  const finding = findingFor(addressOf(sealedUrl), column)
  if (!finding || finding.pausedUntil === 0) return null
  return { reason: finding.openings > 0 ? 'down' : 'overloaded', until: new Date(finding.pausedUntil).toISOString() }
}
