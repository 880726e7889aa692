/** Sending again what had ended, and at once what waits. Each delivery leaves an audit entry. */
import { REDELIVERIES_AT_ONCE } from '../../choices.ts'
import { type Actor, OPERATOR } from '../../domain/audit.ts'
import { inTransaction, type StoreContext, type TransactionContext } from '../context.ts'
import { type DeliveryFilter, matching, orderOf, stateByState } from './delivery-filter.ts'

export interface Redelivery {
  by?: Actor
  /** Only deliveries with a higher id: where the call before ended. */
  after?: number | undefined
  /** How many are sent again at most. */
  limit?: number
}

export interface Redelivered {
  count: number
  /** The id to continue `after` with, or null when there are no more. */
  next: number | null
}

/** Writes in small transactions, between which others get their turn. */
export const redeliver = (
  context: StoreContext,
  filter: DeliveryFilter,
  at: Date,
  how: Redelivery,
): Promise<Redelivered> =>
  inSteps(context, filter, at, how, async (after, room) => {
    const by = how.by ?? OPERATOR
    const step = await inTransaction(context, (inside) => redeliverSome(inside, filter, at, by, after, room))
    if (step.ids.length > 0) context.announce('event')
    return step
  })

/** Says what `redeliver` would, and changes nothing. */
export const countRedeliverable = (
  context: StoreContext,
  filter: DeliveryFilter,
  at: Date,
  how: Redelivery,
): Promise<Redelivered> => inSteps(context, filter, at, how, (after, room) => look(context, filter, at, after, room))

async function inSteps(
  context: StoreContext,
  filter: DeliveryFilter,
  at: Date,
  { after = 0, limit = REDELIVERIES_AT_ONCE }: Redelivery,
  take: (after: number, room: number) => Promise<Step>,
): Promise<Redelivered> {
  for (let [count, last] = [0, after]; ; ) {
    const room = limit - count
    const step = room > 0 ? await take(last, room) : await look(context, filter, at, last, 1)
    if (room === 0 && step.ids.length > 0) return { count, next: last }
    count += step.ids.length
    if (step.last === null) return { count, next: null }
    last = step.last
  }
}

interface Step {
  /** The deliveries that may be sent again. */
  ids: number[]
  /** How far it looked; null: to the end. */
  last: number | null
}

/** The next that match, in order, whether they may be sent again or not: so each step takes equally long. */
async function candidates({ db }: StoreContext, filter: DeliveryFilter, after: number) {
  const found = []
  for (const one of stateByState(filter)) {
    const query = matching(db, one)
      .where(orderOf(one), '>', after)
      .select([
        'd.id',
        'd.organizationId',
        'd.subscriptionId',
        'd.state',
        'd.lease',
        'd.dueAt',
        's.isActive',
        's.deletedAt',
      ])
      .orderBy(orderOf(one))
      .limit(IDS_AT_ONCE)
    found.push(...(await query.execute()))
  }
  return found.sort((a, b) => a.id - b.id).slice(0, IDS_AT_ONCE)
}
type Candidate = Awaited<ReturnType<typeof candidates>>[number]

const redeliverable =
  (at: Date) =>
  ({ isActive, deletedAt, lease, dueAt }: Candidate): boolean =>
    isActive === 1 && deletedAt === null && (lease === null || dueAt <= at.toISOString())

async function look(
  context: StoreContext,
  filter: DeliveryFilter,
  at: Date,
  after: number,
  room: number,
): Promise<Step> {
  const found = await candidates(context, filter, after)
  return stepOf(found, found.filter(redeliverable(at)), room)
}

/** Takes as many as there is room for. */
function stepOf(found: readonly Candidate[], all: readonly Candidate[], room: number): Step {
  const ids = all.slice(0, room).map(({ id }) => id)
  const end = found.length < IDS_AT_ONCE ? null : found.at(-1)!.id
  return { ids, last: ids.length < all.length ? ids.at(-1)! : end }
}

/**
 * The deliveries as they are once no one else changes them. Subscriptions are locked before their deliveries, as by what ends
 * the deliveries of one: when one is deactivated at this moment, nothing of it may begin to wait.
 */
async function held({ db, locksRows }: TransactionContext, found: readonly Candidate[]): Promise<readonly Candidate[]> {
  if (!locksRows || found.length === 0) return found
  const subscriptions = db
    .selectFrom('subscription')
    .select(['id', 'isActive', 'deletedAt'])
    .where('id', 'in', [...new Set(found.map(({ subscriptionId }) => subscriptionId))])
  const states = new Map((await subscriptions.orderBy('id').forShare().execute()).map((row) => [row.id, row]))
  const rows = await db
    .selectFrom('delivery')
    .select(['id', 'organizationId', 'subscriptionId', 'state', 'lease', 'dueAt'])
    .where(
      'id',
      'in',
      found.map(({ id }) => id),
    )
    .orderBy('id')
    .forUpdate()
    .execute()
  const before = new Map(found.map((row) => [row.id, row]))
  return rows
    .filter(({ id, state }) => before.get(id)?.state === state)
    .map((row) => ({ ...before.get(row.id)!, ...row, ...pick(states.get(row.subscriptionId)) }))
}

const pick = (subscription?: Pick<Candidate, 'isActive' | 'deletedAt'>) => ({
  isActive: subscription?.isActive ?? null,
  deletedAt: subscription?.deletedAt ?? null,
})

async function redeliverSome(
  inside: TransactionContext,
  filter: DeliveryFilter,
  at: Date,
  by: Actor,
  after: number,
  room: number,
): Promise<Step> {
  const found = await candidates(inside, filter, after)
  const all = (await held(inside, found)).filter(redeliverable(at))
  const step = stepOf(found, all, room)
  if (step.ids.length > 0) await beginRound(inside, step.ids, at)
  for (const { id, organizationId } of all.slice(0, room))
    inside.audit({ action: 'delivery.redeliver', by, at, organizationId, subject: id })
  return step
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

const IDS_AT_ONCE = 250
