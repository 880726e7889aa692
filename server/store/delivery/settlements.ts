/** What became of attempts: written with what follows for their deliveries and subscriptions. Not scoped: it serves the dispatcher. */
import { SERVICE } from '../../domain/audit.ts'
import type { AttemptOutcome } from '../../domain/delivery/attempt.ts'
import { inTransaction, type StoreContext, type TransactionContext } from '../context.ts'
import { type DueDelivery, WAITING } from './due.ts'
import { openUrl } from './subscription-row.ts'
import { cancelQueued } from './subscriptions.ts'

export interface AttemptResult {
  startedAt: Date
  durationMs: number
  connectMs: number | null
  firstByteMs: number | null
  status: number | null
  outcome: AttemptOutcome
  answerBytes: number
}

type Ended = { state: 'delivered' | 'failed' } | { state: 'waiting'; dueAt: Date }

/** What becomes of a delivery by an attempt. */
export type DeliveryOutcome =
  | Ended
  /** The receiver is gone for good: the subscription is deactivated. */
  | { state: 'gone' }

export interface Settlement {
  delivery: DueDelivery
  result: AttemptResult
  outcome: DeliveryOutcome
}

export const settlements = (context: StoreContext) => ({
  /**
   * Writes attempts and what becomes of their deliveries, in one transaction. A delivery that was cancelled meanwhile stays
   * cancelled, unless it was received.
   */
  settle: (settlements: readonly Settlement[], lease: string, at: Date): Promise<void> =>
    inTransaction(context, async (inside) => {
      const attempts = inside.db.insertInto('attempt').values(settlements.map(attemptRow))
      await attempts.onConflict((conflict) => conflict.doNothing()).execute()
      const received = settlements.filter(({ outcome }) => outcome.state === 'delivered')
      const ids = received.map(({ delivery }) => delivery.id)
      if (ids.length > 0) await ended(inside, lease, at).set({ state: 'delivered' }).where('id', 'in', ids).execute()
      for (const { delivery, outcome } of settlements)
        if (outcome.state !== 'delivered') await settleFailure(inside, delivery, outcome, lease, at)
    }),

  /** Ends deliveries whose round began before `before`: a receiver may have forgotten by then which events it had. */
  async giveUpOlderThan(before: Date, at: Date): Promise<void> {
    await context.db
      .updateTable('delivery')
      .set({ state: 'failed', lease: null, updatedAt: at.toISOString() })
      .where('state', '=', WAITING)
      .where('roundAt', '<', before.toISOString())
      .execute()
  },
})

async function settleFailure(
  inside: TransactionContext,
  delivery: DueDelivery,
  outcome: DeliveryOutcome,
  lease: string,
  at: Date,
): Promise<void> {
  const next = outcome.state === 'gone' ? await afterGone(inside, delivery, at) : outcome
  await ended(inside, lease, at)
    .set((row) => ({
      state: row.case().when('state', '=', 'waiting').then(next.state).else(row.ref('state')).end(),
      ...(next.state === 'waiting' && { dueAt: next.dueAt.toISOString() }),
    }))
    .where('id', '=', delivery.id)
    .execute()
  if (outcome.state === 'gone' && next.state === 'failed') await cancelQueued(inside, delivery.subscriptionId, at)
}

/** The end of an attempt of deliveries that `lease` still owns. */
const ended = ({ db }: TransactionContext, lease: string, at: Date) =>
  db
    .updateTable('delivery')
    .set((row) => ({
      attempts: row('attempts', '+', 1),
      lease: null,
      nextTrigger: 'scheduled' as const,
      updatedAt: at.toISOString(),
    }))
    .where('lease', '=', lease)

const attemptRow = ({ delivery, result, outcome }: Settlement) => ({
  deliveryId: delivery.id,
  number: delivery.attemptNumber,
  trigger: delivery.trigger,
  scheduledAt: delivery.dueAt.toISOString(),
  startedAt: result.startedAt.toISOString(),
  durationMs: result.durationMs,
  connectMs: result.connectMs,
  firstByteMs: result.firstByteMs,
  status: result.status,
  outcome: result.outcome,
  answerBytes: result.answerBytes,
  nextAt: outcome.state === 'waiting' ? outcome.dueAt.toISOString() : null,
})

/**
 * The place that was called is gone: the subscription is deactivated, unless it was sent elsewhere while the attempt was
 * under way. Then the new place knows nothing of the event yet, and is told at once.
 */
async function afterGone(inside: TransactionContext, delivery: DueDelivery, at: Date): Promise<Ended> {
  const { subscriptionId, organizationId, url } = delivery
  const query = inside.db.selectFrom('subscription').select('sealedUrl').where('id', '=', subscriptionId)
  const { sealedUrl } = await (inside.locksRows ? query.forUpdate() : query).executeTakeFirstOrThrow()
  const current = openUrl(inside, { organizationId, id: subscriptionId, sealedUrl })
  if (current !== url) return { state: 'waiting', dueAt: at }
  await inside.db
    .updateTable('subscription')
    .set({ isActive: 0, updatedAt: at.toISOString() })
    .where('id', '=', subscriptionId)
    .execute()
  inside.audit({ action: 'subscription.deactivate', by: SERVICE, at, organizationId, subject: subscriptionId })
  return { state: 'failed' }
}
