/** Events that wait to be told, and deliveries that wait to be sent: made, claimed, given back. Not scoped: it serves the dispatcher. */
import type { Queue, Taking } from '../../domain/delivery/lanes.ts'
import { inTransaction, type StoreContext } from '../context.ts'
import { type OnUnreadable, readable } from '../sealing/readable.ts'
import { type DueDelivery, type DueRow, due, NONE, queues, reader } from './due.ts'

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

export function outbox(context: StoreContext) {
  return {
    /** Makes a delivery for each active subscription of each new event; says how many events there were. */
    async fanOut(at: Date, limit: number): Promise<number> {
      // Asked on every look and mostly answered with no: that takes no transaction.
      if ((await fresh(context, 1).execute()).length === 0) return 0
      return inTransaction(context, async (inside) => {
        const { db, locksRows } = inside
        const waiting = fresh(inside, limit)
        const events = await (locksRows ? waiting.forUpdate().skipLocked() : waiting).execute()
        if (events.length === 0) return 0
        const now = at.toISOString()
        const receivers = await db
          .selectFrom('subscription')
          .select(['id', 'organizationId'])
          .where('organizationId', 'in', [...new Set(events.map((event) => event.organizationId))])
          .where('isActive', '=', 1)
          .where('deletedAt', 'is', null)
          .orderBy('id')
          .execute()
        const deliveries = events.flatMap((event) =>
          receivers
            .filter((receiver) => receiver.organizationId === event.organizationId)
            .map((receiver) => ({
              eventId: event.eventId,
              organizationId: event.organizationId,
              subscriptionId: receiver.id,
              state: 'waiting' as const,
              attempts: 0,
              dueAt: now,
              lease: null,
              roundAt: now,
              createdAt: now,
              updatedAt: now,
            })),
        )
        for (let from = 0; from < deliveries.length; from += ROWS_AT_ONCE)
          await db
            .insertInto('delivery')
            .values(deliveries.slice(from, from + ROWS_AT_ONCE))
            .execute()
        const ids = events.map((event) => event.eventId)
        await db.updateTable('event').set({ isFannedOut: 1 }).where('eventId', 'in', ids).execute()
        return events.length
      })
    },

    /** The queues that are not empty, of subscriptions that may receive. */
    queues: (): Promise<Queue[]> => queues(context),

    /** Takes from the queues what is due, and owns it until `leaseUntil`. */
    claim: ({ at, leaseUntil, lease, choose, onUnreadable = () => {} }: Claiming): Promise<DueDelivery[]> =>
      inTransaction(context, async (inside) => {
        const claimed: DueRow[] = []
        for (const taking of choose(await queues(inside))) claimed.push(...(await due(inside, taking, at)))
        if (claimed.length === 0) return []
        await inside.db
          .updateTable('delivery')
          .set({ dueAt: leaseUntil.toISOString(), lease })
          .where(
            'id',
            'in',
            claimed.map(({ id }) => id),
          )
          .execute()
        return readable(claimed, reader(inside), onUnreadable)
      }),

    /** Whether a claimed delivery is still to be sent: owned by `lease`, not cancelled, its subscription active. */
    async isWanted({ id }: DueDelivery, lease: string): Promise<boolean> {
      const row = await context.db
        .selectFrom('delivery as d')
        .innerJoin('subscription as s', 's.id', 'd.subscriptionId')
        .select('d.id')
        .where('d.id', '=', id)
        .where('d.lease', '=', lease)
        .where('d.state', '=', 'waiting')
        .where('s.isActive', '=', 1)
        .where('s.deletedAt', 'is', null)
        .executeTakeFirst()
      return row !== undefined
    },

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
  }
}

/** Events that no delivery was made for yet, the oldest first. */
const fresh = ({ db }: StoreContext, limit: number) =>
  db
    .selectFrom('event')
    .select(['eventId', 'organizationId'])
    .where('isFannedOut', '=', NONE)
    .orderBy('sequence')
    .limit(limit)

/** Rows of one statement; SQLite takes 32,766 parameters in one. */
const ROWS_AT_ONCE = 1_000
