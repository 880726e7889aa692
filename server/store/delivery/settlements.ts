/** Writes the results of attempts, with their effects on deliveries and subscriptions. Not scoped: it serves the dispatcher. */
import { SERVICE } from '../../domain/audit.ts'
import type { AttemptOutcome } from '../../domain/delivery/attempt.ts'
import type { Finding } from '../../domain/delivery/endpoint.ts'
import { inTransaction, type StoreContext, type TransactionContext } from '../context.ts'
import { changeRows } from '../rows/write-rows.ts'
import { later } from '../sql/later.ts'
import { type DueDelivery, WAITING } from './due.ts'
import { keepFindings } from './findings.ts'
import { cancelRest, cancelSome, cancelStranded } from './queued.ts'
import { openUrl } from './subscription-row.ts'

export interface AttemptResult {
  startedAt: Date
  durationMs: number
  connectMs: number | null
  firstByteMs: number | null
  status: number | null
  outcome: AttemptOutcome
  answerBytes: number
  /** The beginning of the answer, as it may be shown; null where it had no text. */
  answer: string | null
}

type Ended = { state: 'delivered' | 'failed' } | { state: 'waiting'; dueAt: Date }

/** The effect of an attempt on its delivery. */
export type DeliveryOutcome =
  | Ended
  /** The receiver is permanently gone: the subscription is deactivated. */
  | { state: 'gone' }

export interface Settlement {
  delivery: DueDelivery
  result: AttemptResult
  outcome: DeliveryOutcome
  /** The attempt's finding about its receiver; null: nothing new. */
  finding: Finding | null
}

export const settlements = (context: StoreContext) => ({
  /**
   * Writes attempts and what becomes of their deliveries, in one transaction. A delivery that was cancelled in the meantime stays
   * cancelled, unless it was received. One that failed at an address that is no longer its subscription's is due at once.
   */
  async settle(settlements: readonly Settlement[], lease: string, at: Date): Promise<void> {
    if (settlements.length === 0) return
    const { inside, after } = settling(settlements, lease, at)
    await inTransaction(context, inside)
    await after(context)
  },

  /** Ends deliveries whose round began before `before`: a receiver may have forgotten by then which events it had. */
  async giveUpOlderThan(before: Date, at: Date): Promise<void> {
    const old = context.db.selectFrom('delivery').select('id').where('state', '=', WAITING)
    for (let count = GIVEN_UP_AT_ONCE; count === GIVEN_UP_AT_ONCE; ) {
      const { numUpdatedRows } = await context.db
        .updateTable('delivery')
        .set({ state: 'failed', lease: null, updatedAt: at.toISOString() })
        .where('id', 'in', old.where('roundAt', '<', before.toISOString()).limit(GIVEN_UP_AT_ONCE))
        .where('state', '=', WAITING)
        .executeTakeFirst()
      count = Number(numUpdatedRows)
    }
  },

  /** Ends what waits for subscriptions that are not active: a process that was killed left it. */
  cancelStranded: (at: Date): Promise<void> => cancelStranded(context, at),
})

/** Few enough that others who wait for the database hardly notice. */
const GIVEN_UP_AT_ONCE = 250

/** The work of `settle` for a transaction that does more than that: `inside` it, and `after` its commit. */
export function settling(settlements: readonly Settlement[], lease: string, at: Date) {
  let gone: ReadonlySet<number> = new Set()
  return {
    async inside(inside: TransactionContext): Promise<void> {
      if (settlements.length > 0) gone = await settle(inside, settlements, lease, at)
    },
    async after(context: StoreContext): Promise<void> {
      for (const id of gone) await cancelRest(context, id, at)
      // A receiver is back: what waits for it need not wait for the next look of the other instances.
      if (settlements.some(({ finding }) => finding?.pausedUntil === 0)) context.announce('event')
    },
  }
}

/** Returns the subscriptions whose receivers are gone. */
async function settle(
  inside: TransactionContext,
  settlements: readonly Settlement[],
  lease: string,
  at: Date,
): Promise<ReadonlySet<number>> {
  const received = settlements.filter(({ outcome }) => outcome.state === 'delivered')
  const failed = settlements.filter(({ outcome }) => outcome.state !== 'delivered')
  // First of all, as an update of a subscription does before it touches what is queued.
  const telling = settlements.filter(({ finding, outcome }) => finding || outcome.state !== 'delivered')
  const urls = await currentUrls(inside, telling)
  await keepFindings(inside, settlements)
  const whatFollows = (settlement: Settlement): DeliveryOutcome =>
    isMoved(settlement, urls) ? { state: 'waiting', dueAt: at } : settlement.outcome
  const rows = settlements.map((settlement) => attemptRow(settlement, whatFollows(settlement)))
  const attempts = inside.db.insertInto('attempt').values(rows)
  await later(
    inside.db,
    attempts.onConflict((conflict) => conflict.doNothing()),
  )
  const ids = received.map(({ delivery }) => delivery.id)
  if (ids.length > 0)
    await later(inside.db, ended(inside, lease, at).set({ state: 'delivered' }).where('id', 'in', ids))
  for (const settlement of failed) await settleFailure(inside, settlement.delivery, whatFollows(settlement), lease, at)
  const gone = failed.filter((settlement) => whatFollows(settlement).state === 'gone')
  return new Set(gone.map(({ delivery }) => delivery.subscriptionId))
}

/** Where the subscriptions of these deliveries are called now, by their ids. No one changes them until the transaction ends. */
async function currentUrls(
  inside: TransactionContext,
  settlements: readonly Settlement[],
): Promise<ReadonlyMap<number, string>> {
  const ids = new Set(settlements.map(({ delivery }) => delivery.subscriptionId))
  if (ids.size === 0) return new Map()
  const query = inside.db
    .selectFrom('subscription')
    .select(['id', 'organizationId', 'sealedUrl'])
    .where('id', 'in', [...ids])
    .orderBy('id')
  const rows = await (inside.locksRows ? query.forNoKeyUpdate() : query).execute()
  return new Map(rows.map((row) => [row.id, openUrl(inside, row)]))
}

/** A failure at an address where the subscription is no longer called: the new one knows nothing of the event yet. */
const isMoved = ({ delivery, outcome }: Settlement, urls: ReadonlyMap<number, string>): boolean =>
  outcome.state !== 'delivered' && urls.get(delivery.subscriptionId) !== delivery.url

async function settleFailure(
  inside: TransactionContext,
  delivery: DueDelivery,
  outcome: DeliveryOutcome,
  lease: string,
  at: Date,
): Promise<void> {
  if (outcome.state === 'gone') await deactivate(inside, delivery, at)
  const next: Ended = outcome.state === 'gone' ? { state: 'failed' } : outcome
  const update = ended(inside, lease, at)
    .set((row) => ({
      state: row.case().when('state', '=', 'waiting').then(next.state).else(row.ref('state')).end(),
      ...(next.state === 'waiting' && { dueAt: next.dueAt.toISOString() }),
    }))
    .where('id', '=', delivery.id)
  await later(inside.db, update)
  if (outcome.state === 'gone') await cancelSome(inside, delivery.subscriptionId, at)
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

const attemptRow = ({ delivery, result }: Settlement, outcome: DeliveryOutcome) => ({
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
  answer: result.answer,
  nextAt: outcome.state === 'waiting' ? outcome.dueAt.toISOString() : null,
})

/** The place that was called is permanently gone. */
async function deactivate(
  inside: TransactionContext,
  { subscriptionId, organizationId }: DueDelivery,
  at: Date,
): Promise<void> {
  const deactivated = await changeRows(
    inside,
    'subscription',
    (rows) => rows.where('id', '=', subscriptionId).where('isActive', '=', 1),
    { isActive: 0, updatedAt: at.toISOString() },
  )
  if (deactivated.length > 0)
    inside.audit({ action: 'subscription.deactivate', by: SERVICE, at, organizationId, subject: subscriptionId })
}
