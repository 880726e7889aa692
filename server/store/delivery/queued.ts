/** Updates the deliveries that wait for a subscription when the subscription changes. */
import { inTransaction, type StoreContext, type TransactionContext } from '../context.ts'
import { newestFirst } from '../sql/indexes/newest-first.ts'
import { WAITING } from './due.ts'

/** Deliveries that one statement changes: few enough that others who wait for the database hardly notice. */
const ROWS_AT_ONCE = 250

/** Ends some of what waits for a subscription that may receive no more. Returns whether there may be more. choice: Inactive subscriptions */
export async function cancelSome(inside: TransactionContext, subscriptionId: number, at: Date): Promise<boolean> {
  const ids = await queuedAfter(inside, subscriptionId, 0)
  if (ids.length > 0)
    await inside.db
      .updateTable('delivery')
      .set({ state: 'cancelled', updatedAt: at.toISOString() })
      .where('id', 'in', ids)
      .where('state', '=', WAITING)
      .execute()
  return ids.length === ROWS_AT_ONCE
}

/**
 * Ends the rest of it, in small transactions, so that others get their turn. Meanwhile nothing of it is sent, because the
 * subscription is not active; once it is active again, what waits for it came later.
 */
export async function cancelRest(context: StoreContext, subscriptionId: number, at: Date): Promise<void> {
  const step = async (inside: TransactionContext): Promise<boolean> => {
    const { db, locksRows } = inside
    const query = db.selectFrom('subscription').select('isActive').where('id', '=', subscriptionId)
    const found = await (locksRows ? query.forNoKeyUpdate() : query).executeTakeFirst()
    return found?.isActive === 0 && cancelSome(inside, subscriptionId, at)
  }
  while (await inTransaction(context, step));
}

/** Ends what still waits for any subscription that is not active: a process that was killed left it. */
export async function cancelStranded(context: StoreContext, at: Date): Promise<void> {
  const ended = await context.db
    .selectFrom('subscription as s')
    .select('s.id')
    .where('s.isActive', '=', 0)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('delivery as d')
          .select('d.id')
          .whereRef('d.subscriptionId', '=', 's.id')
          .where('d.state', '=', WAITING),
      ),
    )
    .execute()
  for (const { id } of ended) await cancelRest(context, id, at)
}

/**
 * Takes what waits along to a new address: due at once, with the whole schedule before it. What is being sent to the old
 * address ends first; `settlements` then makes it due at the new one, unless it was received.
 */
export async function moveQueued(inside: TransactionContext, subscriptionId: number, at: Date): Promise<void> {
  const now = at.toISOString()
  for (let after = 0; ; ) {
    const ids = await queuedAfter(inside, subscriptionId, after)
    if (ids.length === 0) return
    await inside.db
      .updateTable('delivery')
      .set((row) => ({
        dueAt: row.case().when('lease', 'is', null).then(now).else(row.ref('dueAt')).end(),
        roundStart: row.ref('attempts'),
        roundAt: now,
        updatedAt: now,
      }))
      .where('id', 'in', ids)
      .where('state', '=', WAITING)
      .execute()
    after = ids.at(-1)!
  }
}

/** The next that wait, the oldest first. */
async function queuedAfter({ db }: TransactionContext, subscriptionId: number, after: number): Promise<number[]> {
  const rows = await db
    .selectFrom('delivery')
    .select('id')
    .where('subscriptionId', '=', subscriptionId)
    .where('state', '=', 'waiting')
    .where(newestFirst('id', true), '>', after)
    .orderBy(newestFirst('id', true))
    .limit(ROWS_AT_ONCE)
    .execute()
  return rows.map(({ id }) => id)
}
