/** Events that wait to be told, and deliveries that wait to be sent: made, claimed, given back. Not scoped: it serves the dispatcher. */
import type { Queue, Taking } from '../../domain/delivery/lanes.ts'
import { inTransaction, type StoreContext, type TransactionContext } from '../context.ts'
import { type OnUnreadable, readable } from '../sealing/readable.ts'
import { addressOf, type DueDelivery, type DueRow, due, opener, queues } from './due.ts'
import { fanOut } from './fan-out.ts'

export interface Claiming {
  at: Date
  leaseUntil: Date
  /** Names the process that claims. */
  lease: string
  /** Decides on the queues as they are; pure. */
  choose(queues: readonly Queue[]): readonly Taking[]
  /** Learns of each delivery that cannot be opened. It is claimed and not handed out, and so looked at again after the lease. */
  onUnreadable?: OnUnreadable
}

export const outbox = (context: StoreContext) => ({
  /** Makes a delivery for each active subscription of each new event, of up to `limit` events. Returns how many events there were. */
  fanOut: (at: Date, limit: number): Promise<number> => fanOut(context, at, limit),

  /** The queues that are not empty, of subscriptions that may receive. */
  queues: (): Promise<Queue[]> => queues(context),

  /** Takes from the queues what is due, and owns it until `leaseUntil`. */
  claim: (claiming: Claiming): Promise<DueDelivery[]> =>
    inTransaction(context, async (inside) => {
      const claimed = await lease(inside, claiming)
      return readable(claimed, opener(inside), claiming.onUnreadable ?? (() => {}))
    }),

  /** Whether a claimed delivery is still to be sent: owned by `lease`, not cancelled, its subscription active and not moved. */
  isWanted: (delivery: DueDelivery, lease: string): Promise<boolean> => isWanted(context, delivery, lease),

  /** Gives back what was claimed and not sent, or cut off: it is due at its `dueAt`, and no attempt is counted. */
  release: (deliveries: readonly Pick<DueDelivery, 'id' | 'dueAt'>[], lease: string): Promise<void> =>
    inTransaction(context, async ({ db }) => {
      for (const { id, dueAt } of deliveries)
        await db
          .updateTable('delivery')
          .set({ dueAt: dueAt.toISOString(), lease: null })
          .where('id', '=', id)
          .where('lease', '=', lease)
          .execute()
    }),
})

async function lease(inside: TransactionContext, { at, leaseUntil, lease, choose }: Claiming): Promise<DueRow[]> {
  const rows: DueRow[] = []
  for (const taking of choose(await queues(inside))) rows.push(...(await due(inside, taking, at)))
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0)
    await inside.db
      .updateTable('delivery')
      .set({ dueAt: leaseUntil.toISOString(), lease })
      .where('id', 'in', ids)
      .execute()
  return rows
}

async function isWanted({ db }: StoreContext, { id, address }: DueDelivery, lease: string): Promise<boolean> {
  const row = await db
    .selectFrom('delivery as d')
    .innerJoin('subscription as s', 's.id', 'd.subscriptionId')
    .select('s.sealedUrl')
    .where('d.id', '=', id)
    .where('d.lease', '=', lease)
    .where('d.state', '=', 'waiting')
    .where('s.isActive', '=', 1)
    .where('s.deletedAt', 'is', null)
    .executeTakeFirst()
  return row !== undefined && addressOf(row.sealedUrl) === address
}
