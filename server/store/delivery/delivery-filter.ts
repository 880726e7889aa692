/** Which deliveries someone asks for. */
import { type Kysely, type SqlBool, sql } from 'kysely'
import type { DeliveryState } from '../../domain/delivery/attempt.ts'
import { newestFirst } from '../sql/indexes/newest-first.ts'
import { compared, unindexed } from '../sql/indexes/unindexed.ts'
import type { Schema } from '../sql/schema.ts'

/** An omitted member matches everything. */
export interface DeliveryFilter {
  id?: number | undefined
  eventId?: string | undefined
  taskId?: number | undefined
  subscriptionId?: number | undefined
  organizationId?: number | undefined
  states?: readonly DeliveryState[] | undefined
  /** Events that occurred then or later. */
  since?: Date | undefined
  /** Events that occurred before this time. */
  until?: Date | undefined
}

/** A filter for one state at most. */
export interface StateFilter extends Omit<DeliveryFilter, 'states'> {
  state?: DeliveryState
}

/** A filter for each state: an index has the deliveries of one state in the order of the list, and not those of several. */
export const stateByState = ({ states, ...rest }: DeliveryFilter): StateFilter[] =>
  states ? [...new Set(states)].map((state) => ({ ...rest, state })) : [rest]

/**
 * The deliveries `d` that the filter lets through, with their event `e` and their subscription `s`. The id of an event or a task
 * leads to few deliveries, so what else is asked for is compared on those.
 */
export function matching(db: Kysely<Schema>, filter: StateFilter) {
  const { id, eventId, taskId, subscriptionId, organizationId, state, since, until } = filter
  const isOfEvents = eventId !== undefined || taskId !== undefined
  const other = isOfEvents ? unindexed : sql.ref
  let query = db
    .selectFrom('delivery as d')
    .innerJoin('event as e', 'e.eventId', 'd.eventId')
    // There is one. By an inner join, SQLite would begin with the few subscriptions, and sort all deliveries.
    .leftJoin('subscription as s', 's.id', 'd.subscriptionId')
  if (id !== undefined) query = query.where('d.id', '=', id)
  if (eventId !== undefined) query = query.where('d.eventId', '=', eventId)
  if (taskId !== undefined) query = query.where('e.taskId', '=', taskId)
  if (subscriptionId !== undefined) query = query.where(other<number>('d.subscriptionId'), '=', subscriptionId)
  if (organizationId !== undefined) {
    // That of its subscription, of which there is one: a condition on the deliveries would make few of them seem to match.
    const organization =
      subscriptionId === undefined ? other<number>('d.organizationId') : sql.ref<number>('s.organizationId')
    query = query.where(organization, '=', organizationId)
  }
  if (state !== undefined) query = query.where(other<DeliveryState>('d.state'), '=', state)
  if (until !== undefined)
    query = query.where(compared(sql<SqlBool>`${unindexed('e.occurredAt')} < ${until.toISOString()}`))
  if (since !== undefined) {
    query = query.where('e.occurredAt', '>=', since.toISOString())
    if (!isOfEvents)
      query = query.where(orderOf(filter), '>=', firstMadeSince(db, new Date(since.getTime() - CLOCKS_DIFFER_MS)))
  }
  return query
}

/** The id to order deliveries by, and to continue after. */
export const orderOf = ({ eventId, taskId, subscriptionId, organizationId, state }: StateFilter) =>
  newestFirst(
    'd.id',
    [eventId, taskId, subscriptionId, organizationId, state].some((value) => value !== undefined),
  )

/**
 * The id of the first delivery made then or later. Those of earlier events are not looked through one by one: a delivery is
 * made after its event occurred, and ids go up with time.
 */
const firstMadeSince = (db: Kysely<Schema>, since: Date) =>
  db
    .selectFrom('delivery')
    .select('id')
    .where('createdAt', '>=', since.toISOString())
    .orderBy('createdAt')
    .orderBy('id')
    .limit(1)

/** The most by which the clocks of two instances may differ. */
const CLOCKS_DIFFER_MS = 5 * 60 * 1000
