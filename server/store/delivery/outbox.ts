/** Events that wait to be told, and deliveries that wait to be sent: made, claimed, given back. Not scoped: it serves the dispatcher. */
import type { Queue, Taking } from '../../domain/delivery/lanes.ts'
import { inTransaction, type StoreContext, type TransactionContext } from '../context.ts'
import { type OnUnreadable, readable } from '../sealing/readable.ts'
import { later } from '../sql/later.ts'
import { addressOf, type DueDelivery, type DueRow, due, opener, queues } from './due.ts'
import { fanOut } from './fan-out.ts'
import { type Settlement, settling } from './settlements.ts'

export interface Claiming {
  at: Date
  leaseUntil: Date
  /** Names the process that claims. */
  lease: string
  /** Decides on the queues as they are. */
  choose(queues: readonly Queue[]): readonly Taking[]
  /** Results of attempts of this process: written first, in the same transaction, so that both share one sync. */
  settlements?: readonly Settlement[]
  /** Called for each delivery that cannot be opened. It is claimed and not handed out, and so looked at again after the lease. */
  onUnreadable?: OnUnreadable
}

export const outbox = (context: StoreContext) => ({
  /** Makes a delivery for each active subscription of each new event, of up to `limit` events. Returns how many events there were. */
  fanOut: (at: Date, limit: number): Promise<number> => fanOut(context, at, limit),

  /** The queues that are not empty, of subscriptions that may receive. */
  queues: (): Promise<Queue[]> => queues(context),

  /** Takes from the queues what is due, and owns it until `leaseUntil`. */
  async claim({ choose, settlements = [], ...claiming }: Claiming): Promise<DueDelivery[]> {
    const takings = choose(await queues(context))
    if (takings.length === 0 && settlements.length === 0) return []
    const settle = settling(settlements, claiming.lease, claiming.at)
    const claimed = await inTransaction(context, async (inside) => {
      await settle.inside(inside)
      return readable(
        await lease(inside, takings, claiming),
        opener(inside, claiming.at),
        claiming.onUnreadable ?? (() => {}),
      )
    })
    await settle.after(context)
    return claimed
  },

  /** Which claimed deliveries are still to be sent: owned by `lease`, not cancelled, their subscriptions active and not moved. */
  wanted: (deliveries: readonly DueDelivery[], lease: string): Promise<ReadonlySet<DueDelivery>> =>
    wanted(context, deliveries, lease),

  /** Gives back what was claimed and not sent, or cut off: it is due at its `dueAt`, and no attempt is counted. */
  release: (deliveries: readonly Pick<DueDelivery, 'id' | 'dueAt'>[], lease: string): Promise<void> =>
    inTransaction(context, async ({ db }) => {
      for (const { id, dueAt } of deliveries)
        await later(
          db,
          db
            .updateTable('delivery')
            .set({ dueAt: dueAt.toISOString(), lease: null })
            .where('id', '=', id)
            .where('lease', '=', lease),
        )
    }),
})

async function lease(
  inside: TransactionContext,
  takings: readonly Taking[],
  { at, leaseUntil, lease }: Pick<Claiming, 'at' | 'leaseUntil' | 'lease'>,
): Promise<DueRow[]> {
  const rows = await due(inside, takings, at)
  const ids = rows.map(({ id }) => id)
  const update = inside.db.updateTable('delivery').set({ dueAt: leaseUntil.toISOString(), lease })
  if (ids.length > 0) await later(inside.db, update.where('id', 'in', ids))
  return rows
}

async function wanted(
  { db }: StoreContext,
  deliveries: readonly DueDelivery[],
  lease: string,
): Promise<ReadonlySet<DueDelivery>> {
  const ids = deliveries.map(({ id }) => id)
  const rows = await db
    .selectFrom('delivery as d')
    .innerJoin('subscription as s', 's.id', 'd.subscriptionId')
    .select(['d.id', 's.sealedUrl'])
    .where('d.id', 'in', ids)
    .where('d.lease', '=', lease)
    .where('d.state', '=', 'waiting')
    .where('s.isActive', '=', 1)
    .where('s.deletedAt', 'is', null)
    .execute()
  const addresses = new Map(rows.map(({ id, sealedUrl }) => [id, addressOf(sealedUrl)]))
  return new Set(deliveries.filter(({ id, address }) => addresses.get(id) === address))
}
