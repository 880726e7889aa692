/** Makes the deliveries of new events, one for each subscription that may receive. */
import type { Insertable } from 'kysely'
import { inTransaction, type StoreContext, type TransactionContext } from '../context.ts'
import { later } from '../sql/later.ts'
import type { Schema } from '../sql/schema.ts'
import { NONE } from './due.ts'

/** Takes up to `limit` events, the oldest first. Returns how many there were. */
export async function fanOut(context: StoreContext, at: Date, limit: number): Promise<number> {
  // Asked on every look and mostly answered with no: that takes no transaction.
  if ((await fresh(context, 1).execute()).length === 0) return 0
  return inTransaction(context, async (inside) => {
    const waiting = fresh(inside, limit)
    return deliver(inside, await (inside.locksRows ? waiting.forUpdate().skipLocked() : waiting).execute(), at)
  })
}

/** Takes all new events of an organization, also those that another process is taking at this moment: it waits for that one. */
export async function fanOutOf(inside: TransactionContext, organizationId: number, at: Date): Promise<void> {
  const waiting = fresh(inside, ROWS_AT_ONCE).where('organizationId', '=', organizationId)
  while ((await deliver(inside, await (inside.locksRows ? waiting.forUpdate() : waiting).execute(), at)) > 0);
}

async function deliver(inside: TransactionContext, events: readonly NewEvent[], at: Date): Promise<number> {
  if (events.length === 0) return 0
  const receivers = await receiversOf(inside, new Set(events.map(({ organizationId }) => organizationId)))
  const deliveries = events.flatMap((event) =>
    receivers
      .filter(({ organizationId }) => organizationId === event.organizationId)
      .map(({ id }) => newDelivery(inside, event, id, at)),
  )
  await insert(inside, deliveries)
  const ids = events.map(({ eventId }) => eventId)
  await later(inside.db, inside.db.updateTable('event').set({ isFannedOut: 1 }).where('eventId', 'in', ids))
  return events.length
}

/** Events that no delivery was made for yet, the oldest first. */
const fresh = ({ db }: StoreContext, limit: number) =>
  db
    .selectFrom('event')
    .select(['eventId', 'organizationId'])
    .where('isFannedOut', '=', NONE)
    .orderBy('sequence')
    .limit(limit)

/** Held as they are until the deliveries are there: an update that ends what waits must find them. */
function receiversOf({ db, locksRows }: TransactionContext, organizationIds: ReadonlySet<number>) {
  const query = db
    .selectFrom('subscription')
    .select(['id', 'organizationId'])
    .where('organizationId', 'in', [...organizationIds])
    .where('isActive', '=', 1)
    .where('deletedAt', 'is', null)
    .orderBy('id')
  return (locksRows ? query.forShare() : query).execute()
}

type NewDelivery = Insertable<Schema['delivery']>
type NewEvent = Pick<NewDelivery, 'eventId' | 'organizationId'>

function newDelivery(
  { rows }: TransactionContext,
  { eventId, organizationId }: NewEvent,
  subscriptionId: number,
  at: Date,
): NewDelivery {
  const now = at.toISOString()
  const bound = { eventId, organizationId, subscriptionId }
  return {
    ...bound,
    mac: rows.ofDelivery(bound),
    state: 'waiting',
    attempts: 0,
    dueAt: now,
    lease: null,
    roundAt: now,
    createdAt: now,
    updatedAt: now,
  }
}

async function insert({ db }: TransactionContext, deliveries: readonly NewDelivery[]): Promise<void> {
  for (let from = 0; from < deliveries.length; from += ROWS_AT_ONCE)
    await later(db, db.insertInto('delivery').values(deliveries.slice(from, from + ROWS_AT_ONCE)))
}

/** Rows of one statement; SQLite takes 32,766 parameters in one. */
const ROWS_AT_ONCE = 1_000
