/** Which deliveries somebody asks for. */
import { type Kysely, sql } from 'kysely'
import type { DeliveryState } from '../../domain/delivery/attempt.ts'
import type { Schema } from '../sql/schema.ts'
import { unindexed } from '../sql/unindexed.ts'

/** What is left out does not matter. */
export interface DeliveryFilter {
  id?: number | undefined
  eventId?: string | undefined
  taskId?: number | undefined
  subscriptionId?: number | undefined
  organizationId?: number | undefined
  states?: readonly DeliveryState[] | undefined
  /** Events that occurred then or later. */
  since?: Date | undefined
}

/**
 * The deliveries `d` that the filter lets through, with their event `e` and their subscription `s`. The id of an event or a task
 * leads to few deliveries, so what else is asked for is compared on those.
 */
export function matching(db: Kysely<Schema>, filter: DeliveryFilter) {
  const { id, eventId, taskId, subscriptionId, organizationId, states, since } = filter
  const isOfEvents = eventId !== undefined || taskId !== undefined
  const other = isOfEvents ? unindexed : sql.ref
  let query = db
    .selectFrom('delivery as d')
    .innerJoin('event as e', 'e.eventId', 'd.eventId')
    .innerJoin('subscription as s', 's.id', 'd.subscriptionId')
  if (id !== undefined) query = query.where('d.id', '=', id)
  if (eventId !== undefined) query = query.where('d.eventId', '=', eventId)
  if (taskId !== undefined) query = query.where('e.taskId', '=', taskId)
  if (subscriptionId !== undefined) query = query.where(other<number>('d.subscriptionId'), '=', subscriptionId)
  if (organizationId !== undefined) {
    const organization = subscriptionId === undefined ? other : unindexed
    query = query.where(organization<number>('d.organizationId'), '=', organizationId)
  }
  if (states?.length === 1) query = query.where(other<DeliveryState>('d.state'), '=', states[0]!)
  else if (states !== undefined) query = query.where(other<DeliveryState>('d.state'), 'in', states)
  if (since !== undefined) {
    query = query.where('e.occurredAt', '>=', since.toISOString())
    if (!isOfEvents) query = query.where('d.id', '>=', firstMadeSince(db, new Date(since.getTime() - CLOCKS_DIFFER_MS)))
  }
  return query
}

/** The id to order deliveries by, and to go on after. */
export const orderOf = ({ eventId, taskId }: DeliveryFilter) =>
  eventId === undefined && taskId === undefined ? sql.ref<number>('d.id') : unindexed<number>('d.id')

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

/** By how much the clocks of two instances may differ. */
const CLOCKS_DIFFER_MS = 5 * 60 * 1000
