/** The delivery log for people: what was sent to whom, each attempt, and sending it again. It shows ids and states, never a body or a URL. */
import type { TaskStatus } from '../../../lib/contract/task/task.ts'
import { type Actor, OPERATOR } from '../../domain/audit.ts'
import type { DeliveryState } from '../../domain/delivery/attempt.ts'
import { inTransaction, type StoreContext, type TransactionContext } from '../context.ts'
import { type Attempt, attemptsOf, trimAttempts } from './attempt-log.ts'
import { type DeliveryFilter, matching, orderOf } from './delivery-filter.ts'

export interface Delivery {
  id: number
  eventId: string
  taskId: number
  /** What the event tells. */
  status: TaskStatus
  organizationId: number
  subscriptionId: number
  state: DeliveryState
  /** How many attempts ended. */
  attempts: number
  occurredAt: string
  updatedAt: string
  /** When the next attempt is due; null when none is. */
  nextAttemptAt: string | null
  isUnderWay: boolean
}

export interface Redelivery {
  /** Changes nothing, and only counts. */
  dryRun?: boolean
  by?: Actor
}

export const deliveries = (context: StoreContext) => ({
  /** Newest first; `before` is the id of the last delivery of the page before. */
  list: (filter: DeliveryFilter, limit: number, before?: number): Promise<Delivery[]> =>
    list(context, filter, limit, before),

  /** The attempts of a delivery, in order. */
  attempts: (deliveryId: number): Promise<Attempt[]> => attemptsOf(context, deliveryId),

  /**
   * Sends again, at once and with the same body and event id: what waits for its next try is not waited for, and what had
   * ended begins its schedule anew. Left out are deliveries of subscriptions that are not active and those being sent at
   * this moment. Returns how many deliveries it concerns.
   */
  async redeliver(
    filter: DeliveryFilter,
    at: Date,
    { dryRun = false, by = OPERATOR }: Redelivery = {},
  ): Promise<number> {
    if (dryRun) return (await redeliverable(context, filter, at)).length
    const count = await inTransaction(context, (inside) => redeliver(inside, filter, at, by))
    if (count > 0) context.announce('event')
    return count
  },

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
  const states = filter.states ? [...new Set(filter.states)].map((state) => [state]) : [undefined]
  const pages = await Promise.all(states.map((only) => page(context, { ...filter, states: only }, limit, before)))
  if (pages.length === 1) return pages[0]!
  return pages
    .flat()
    .sort((a, b) => b.id - a.id)
    .slice(0, limit)
}

async function page({ db }: StoreContext, filter: DeliveryFilter, limit: number, before?: number): Promise<Delivery[]> {
  let query = matching(db, filter)
  if (before !== undefined) query = query.where(orderOf(filter), '<', before)
  const rows = await query
    .select(['d.id', 'd.eventId', 'e.taskId', 'e.status', 'd.organizationId', 'd.subscriptionId', 'd.state'])
    .select(['d.attempts', 'e.occurredAt', 'd.updatedAt', 'd.dueAt', 'd.lease'])
    .orderBy(orderOf(filter), 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ dueAt, lease, ...row }) => ({
    ...row,
    nextAttemptAt: row.state === 'waiting' && lease === null ? dueAt : null,
    isUnderWay: row.state === 'waiting' && lease !== null,
  }))
}

const redeliverable = ({ db }: StoreContext, filter: DeliveryFilter, at: Date) =>
  matching(db, filter)
    .select(['d.id', 'd.organizationId'])
    .where('s.isActive', '=', 1)
    .where('s.deletedAt', 'is', null)
    .where((row) => row.or([row('d.lease', 'is', null), row('d.dueAt', '<=', at.toISOString())]))
    .orderBy('d.id')
    .execute()

async function redeliver(inside: TransactionContext, filter: DeliveryFilter, at: Date, by: Actor): Promise<number> {
  const found = await redeliverable(inside, filter, at)
  const ids = found.map(({ id }) => id)
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE)
    await beginRound(inside, ids.slice(from, from + IDS_AT_ONCE), at)
  for (const { id, organizationId } of found)
    inside.audit({ action: 'delivery.redeliver', by, at, organizationId, subject: id })
  return found.length
}

/** Makes deliveries due now, with their schedule before them. */
async function beginRound({ db }: TransactionContext, ids: readonly number[], at: Date): Promise<void> {
  const now = at.toISOString()
  await db
    .updateTable('delivery')
    .set((row) => ({
      state: 'waiting' as const,
      dueAt: now,
      lease: null,
      nextTrigger: 'manual' as const,
      roundStart: row.ref('attempts'),
      roundAt: now,
      updatedAt: now,
    }))
    .where('id', 'in', ids)
    .execute()
}

/** SQLite takes 32,766 parameters in one statement. */
const IDS_AT_ONCE = 1_000
