/** Events that wait to be told, their deliveries, and every attempt. Not scoped: it serves the dispatcher. */

import { inTransaction, type StoreContext } from './context.ts'
import type { AttemptOutcome } from './schema.ts'
import { cancelQueued, secretOwner } from './subscriptions.ts'

export interface DueDelivery {
  id: number
  subscriptionId: number
  eventId: string
  /** The bytes to send; the same on every attempt. */
  body: Buffer
  url: string
  /** The 32 bytes of the subscription's secret. */
  secret: Buffer
  /** From 1. */
  attemptNumber: number
}

export interface AttemptResult {
  startedAt: Date
  durationMs: number
  status: number | null
  outcome: AttemptOutcome
}

export type AttemptVerdict =
  | { state: 'delivered' | 'failed' }
  | { state: 'waiting'; dueAt: Date }
  /** The receiver is gone for good: the subscription is deactivated. */
  | { state: 'gone' }

export function outbox(context: StoreContext) {
  return {
    /** Makes a delivery for each active subscription of each new event; says how many events there were. */
    fanOut: (at: Date, limit: number): Promise<number> =>
      inTransaction(context, async ({ db, locksRows }) => {
        const fresh = db
          .selectFrom('event')
          .select(['event_id', 'organization_id'])
          .where('is_fanned_out', '=', 0)
          .orderBy('sequence')
          .limit(limit)
        const events = await (locksRows ? fresh.forUpdate().skipLocked() : fresh).execute()
        if (events.length === 0) return 0
        const now = at.toISOString()
        const receivers = await db
          .selectFrom('subscription')
          .select(['id', 'organization_id'])
          .where('organization_id', 'in', [...new Set(events.map((event) => event.organization_id))])
          .where('is_active', '=', 1)
          .where('deleted_at', 'is', null)
          .orderBy('id')
          .execute()
        const deliveries = events.flatMap((event) =>
          receivers
            .filter((receiver) => receiver.organization_id === event.organization_id)
            .map((receiver) => ({
              event_id: event.event_id,
              organization_id: event.organization_id,
              subscription_id: receiver.id,
              state: 'waiting' as const,
              attempts: 0,
              due_at: now,
              created_at: now,
              updated_at: now,
            })),
        )
        if (deliveries.length > 0) await db.insertInto('delivery').values(deliveries).execute()
        const ids = events.map((event) => event.event_id)
        await db.updateTable('event').set({ is_fanned_out: 1 }).where('event_id', 'in', ids).execute()
        return events.length
      }),

    /** Deliveries that are due, now owned until `leaseUntil`. Subscriptions that are busy enough are left out. */
    claim: (at: Date, leaseUntil: Date, limit: number, busy: readonly number[]): Promise<DueDelivery[]> =>
      inTransaction(context, async ({ db, locksRows, cipher }) => {
        let due = db
          .selectFrom('delivery as d')
          .innerJoin('subscription as s', 's.id', 'd.subscription_id')
          .select('d.id')
          .where('d.state', '=', 'waiting')
          .where('d.due_at', '<=', at.toISOString())
          .where('s.is_active', '=', 1)
          .where('s.deleted_at', 'is', null)
          .orderBy('d.due_at')
          .orderBy('d.id')
          .limit(limit)
        if (busy.length > 0) due = due.where('d.subscription_id', 'not in', busy)
        const ids = (await (locksRows ? due.forUpdate('d').skipLocked() : due).execute()).map(({ id }) => id)
        if (ids.length === 0) return []
        await db
          .updateTable('delivery')
          .set((value) => ({ due_at: leaseUntil.toISOString(), attempts: value('attempts', '+', 1) }))
          .where('id', 'in', ids)
          .execute()
        const rows = await db
          .selectFrom('delivery as d')
          .innerJoin('event as e', 'e.event_id', 'd.event_id')
          .innerJoin('subscription as s', 's.id', 'd.subscription_id')
          .select([
            'd.id',
            'd.subscription_id',
            'd.event_id',
            'd.attempts',
            'e.sealed_body',
            's.url',
            's.sealed_secret',
          ])
          .select('d.organization_id')
          .where('d.id', 'in', ids)
          .orderBy('d.id')
          .execute()
        return rows.map((row) => ({
          id: row.id,
          subscriptionId: row.subscription_id,
          eventId: row.event_id,
          body: cipher.open(row.sealed_body, `event/${row.event_id}`),
          url: row.url,
          secret: cipher.open(row.sealed_secret, secretOwner(row.organization_id, row.subscription_id)),
          attemptNumber: row.attempts,
        }))
      }),

    /** Writes the attempt and what becomes of the delivery. One that was cancelled meanwhile stays cancelled. */
    settle: (delivery: DueDelivery, result: AttemptResult, verdict: AttemptVerdict, at: Date): Promise<void> =>
      inTransaction(context, async (inside) => {
        const { db } = inside
        await db
          .insertInto('attempt')
          .values({
            delivery_id: delivery.id,
            number: delivery.attemptNumber,
            trigger: 'scheduled',
            started_at: result.startedAt.toISOString(),
            duration_ms: result.durationMs,
            status: result.status,
            outcome: result.outcome,
          })
          .onConflict((conflict) => conflict.doNothing())
          .execute()
        await db
          .updateTable('delivery')
          .set({
            state: verdict.state === 'gone' ? 'failed' : verdict.state,
            ...(verdict.state === 'waiting' && { due_at: verdict.dueAt.toISOString() }),
            updated_at: at.toISOString(),
          })
          .where('id', '=', delivery.id)
          .where('state', '=', 'waiting')
          .execute()
        if (verdict.state !== 'gone') return
        await db
          .updateTable('subscription')
          .set({ is_active: 0, updated_at: at.toISOString() })
          .where('id', '=', delivery.subscriptionId)
          .execute()
        await cancelQueued(inside, delivery.subscriptionId, at)
      }),

    /** When the next delivery is due, or null. */
    async nextDue(): Promise<Date | null> {
      const row = await context.db
        .selectFrom('delivery')
        .select(({ fn }) => fn.min('due_at').as('next'))
        .where('state', '=', 'waiting')
        .executeTakeFirst()
      return row?.next ? new Date(row.next) : null
    },
  }
}
