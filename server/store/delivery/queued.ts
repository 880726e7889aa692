/** What becomes of the deliveries that wait for a subscription when the subscription changes. */
import type { TransactionContext } from '../context.ts'
import { WAITING } from './due.ts'

/** Ends what waits for a subscription that may receive no more. choice: Inactive subscriptions */
export async function cancelQueued({ db }: TransactionContext, subscriptionId: number, at: Date): Promise<void> {
  await db
    .updateTable('delivery')
    .set({ state: 'cancelled', updatedAt: at.toISOString() })
    .where('subscriptionId', '=', subscriptionId)
    .where('state', '=', WAITING)
    .execute()
}

/**
 * Takes what waits along to a new address: due at once, with the whole schedule before it. What is being sent to the old
 * address ends first; `settlements` then makes it due at the new one, unless it was received.
 */
export async function moveQueued({ db }: TransactionContext, subscriptionId: number, at: Date): Promise<void> {
  const now = at.toISOString()
  await db
    .updateTable('delivery')
    .set((row) => ({
      dueAt: row.case().when('lease', 'is', null).then(now).else(row.ref('dueAt')).end(),
      roundStart: row.ref('attempts'),
      roundAt: now,
      updatedAt: now,
    }))
    .where('subscriptionId', '=', subscriptionId)
    .where('state', '=', WAITING)
    .execute()
}
