/** Sending again what had ended, and at once what waits. Each delivery leaves an audit entry. */
import { REDELIVERIES_AT_ONCE } from '../../choices.ts'
import { type Actor, OPERATOR } from '../../domain/audit.ts'
import { inTransaction, type StoreContext, type TransactionContext } from '../context.ts'
import { type DeliveryFilter, matching, orderOf } from './delivery-filter.ts'

export interface Redelivery {
  by?: Actor
  /** Only deliveries with a higher id: where the call before ended. */
  after?: number | undefined
  /** How many are sent again at most. */
  limit?: number
}

export interface Redelivered {
  count: number
  /** The id to go on `after` with, or null when there are no more. */
  next: number | null
}

/** Writes in transactions of a few hundred, between which others get their turn. */
export async function redeliver(
  context: StoreContext,
  filter: DeliveryFilter,
  at: Date,
  { by = OPERATOR, after = 0, limit = REDELIVERIES_AT_ONCE }: Redelivery,
): Promise<Redelivered> {
  let count = 0
  for (let last = after; count < limit; ) {
    const room = Math.min(IDS_AT_ONCE, limit - count)
    const ids = await inTransaction(context, (inside) => redeliverSome(inside, filter, at, by, last, room))
    if (ids.length > 0) context.announce('event')
    count += ids.length
    last = ids.at(-1) ?? last
    if (ids.length < room) return { count, next: null }
    if (count === limit && (await redeliverable(context, filter, at, last).select('d.id').executeTakeFirst()))
      return { count, next: last }
  }
  return { count, next: null }
}

export async function countRedeliverable(context: StoreContext, filter: DeliveryFilter, at: Date): Promise<number> {
  const counted = redeliverable(context, filter, at, 0).select(({ fn }) => fn.countAll().as('count'))
  return Number((await counted.executeTakeFirstOrThrow()).count)
}

const redeliverable = ({ db }: StoreContext, filter: DeliveryFilter, at: Date, after: number) =>
  matching(db, filter)
    .where(orderOf(filter), '>', after)
    .where('s.isActive', '=', 1)
    .where('s.deletedAt', 'is', null)
    .where((row) => row.or([row('d.lease', 'is', null), row('d.dueAt', '<=', at.toISOString())]))

async function redeliverSome(
  inside: TransactionContext,
  filter: DeliveryFilter,
  at: Date,
  by: Actor,
  after: number,
  limit: number,
): Promise<number[]> {
  const query = redeliverable(inside, filter, at, after)
    .select(['d.id', 'd.organizationId'])
    .orderBy(orderOf(filter))
    .limit(limit)
  const found = await (inside.locksRows ? query.forUpdate('d') : query).execute()
  const ids = found.map(({ id }) => id)
  if (ids.length > 0) await beginRound(inside, ids, at)
  for (const { id, organizationId } of found)
    inside.audit({ action: 'delivery.redeliver', by, at, organizationId, subject: id })
  return ids
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

const IDS_AT_ONCE = 500
