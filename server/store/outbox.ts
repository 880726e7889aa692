/** Events that wait to be told, and the queues of their deliveries. Not scoped: it serves the dispatcher. */
import { sql } from 'kysely'
import type { Queue, Taking } from '../domain/lanes.ts'
import { inTransaction, type OnUnreadable, readable, type StoreContext, type TransactionContext } from './context.ts'
import type { AttemptTrigger } from './schema.ts'
import { secretOwner } from './subscriptions.ts'
import { eventOwner } from './tasks.ts'

export interface DueDelivery {
  id: number
  organizationId: number
  subscriptionId: number
  eventId: string
  /** The bytes to send; the same on every attempt. */
  body: Buffer
  url: string
  /** The 32 bytes of the subscription's secret. */
  secret: Buffer
  /** From 1, over all rounds. */
  attemptNumber: number
  /** From 1; a redelivery begins the schedule anew. */
  attemptInRound: number
  trigger: AttemptTrigger
  dueAt: Date
}

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

/** Written as they stand in the indexes, so that SQLite can see that an index of only such rows will do. */
const WAITING = sql.lit('waiting' as const)
const NONE = sql.lit(0 as const)

export function outbox(context: StoreContext) {
  return {
    /** Makes a delivery for each active subscription of each new event; says how many events there were. */
    fanOut: (at: Date, limit: number): Promise<number> =>
      inTransaction(context, async ({ db, locksRows }) => {
        const fresh = db
          .selectFrom('event')
          .select(['event_id', 'organization_id'])
          .where('is_fanned_out', '=', NONE)
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
              lease: null,
              round_at: now,
              created_at: now,
              updated_at: now,
            })),
        )
        for (let from = 0; from < deliveries.length; from += ROWS_AT_ONCE)
          await db
            .insertInto('delivery')
            .values(deliveries.slice(from, from + ROWS_AT_ONCE))
            .execute()
        const ids = events.map((event) => event.event_id)
        await db.updateTable('event').set({ is_fanned_out: 1 }).where('event_id', 'in', ids).execute()
        return events.length
      }),

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
          .set({ due_at: leaseUntil.toISOString(), lease })
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
        .innerJoin('subscription as s', 's.id', 'd.subscription_id')
        .select('d.id')
        .where('d.id', '=', id)
        .where('d.lease', '=', lease)
        .where('d.state', '=', 'waiting')
        .where('s.is_active', '=', 1)
        .where('s.deleted_at', 'is', null)
        .executeTakeFirst()
      return row !== undefined
    },

    /** Gives back what was claimed and not sent, or cut off: it is due at once, and no attempt is counted. */
    async release(deliveries: readonly DueDelivery[], lease: string): Promise<void> {
      for (const { id, dueAt } of deliveries)
        await context.db
          .updateTable('delivery')
          .set({ due_at: dueAt.toISOString(), lease: null })
          .where('id', '=', id)
          .where('lease', '=', lease)
          .execute()
    },
  }
}

/** Rows of one statement; SQLite takes 32,766 parameters in one. */
const ROWS_AT_ONCE = 1_000

async function queues({ db }: StoreContext): Promise<Queue[]> {
  const rows = await db
    .selectFrom('subscription as s')
    .select((outer) => {
      const oldest = (lane: '=' | '>') =>
        outer
          .selectFrom('delivery as d')
          .select(({ fn }) => fn.min('d.due_at').as('due'))
          .whereRef('d.subscription_id', '=', 's.id')
          .where('d.state', '=', WAITING)
          .where('d.attempts', lane, NONE)
      return ['s.id', oldest('=').as('first'), oldest('>').as('retry')]
    })
    .where('s.is_active', '=', 1)
    .where('s.deleted_at', 'is', null)
    .execute()
  const read = (due: string | null) => (due === null ? null : Date.parse(due))
  return rows
    .map((row) => ({ subscriptionId: row.id, firstDue: read(row.first), retryDue: read(row.retry) }))
    .filter(({ firstDue, retryDue }) => firstDue !== null || retryDue !== null)
}

type DueRow = Awaited<ReturnType<typeof due>>[number]

function due({ db, locksRows }: TransactionContext, taking: Taking, at: Date) {
  const query = db
    .selectFrom('delivery as d')
    .innerJoin('event as e', 'e.event_id', 'd.event_id')
    .innerJoin('subscription as s', 's.id', 'd.subscription_id')
    .select(['d.id', 'd.organization_id', 'd.subscription_id', 'd.event_id', 'd.attempts', 'd.round_start'])
    .select(['d.next_trigger', 'd.due_at', 'e.sealed_body', 's.url', 's.sealed_secret'])
    .where('d.subscription_id', '=', taking.subscriptionId)
    .where('d.state', '=', WAITING)
    .where('d.attempts', taking.lane === 'first' ? '=' : '>', NONE)
    .where('d.due_at', '<=', at.toISOString())
    .orderBy('d.due_at')
    .orderBy('d.id')
    .limit(taking.limit)
  return (locksRows ? query.forUpdate('d').skipLocked() : query).execute()
}

/** Opens what a delivery consists of; the secret of a subscription once for all its deliveries. */
function reader({ cipher }: TransactionContext): (row: DueRow) => DueDelivery {
  const secrets = new Map<number, Buffer>()
  const secretOf = ({ subscription_id: id, organization_id, sealed_secret }: DueRow): Buffer => {
    const secret = secrets.get(id) ?? cipher.open(sealed_secret, secretOwner(organization_id, id))
    secrets.set(id, secret)
    return secret
  }
  return (row) => ({
    id: row.id,
    organizationId: row.organization_id,
    subscriptionId: row.subscription_id,
    eventId: row.event_id,
    body: cipher.open(row.sealed_body, eventOwner(row.event_id)),
    url: row.url,
    secret: secretOf(row),
    attemptNumber: row.attempts + 1,
    attemptInRound: row.attempts + 1 - row.round_start,
    trigger: row.next_trigger,
    dueAt: new Date(row.due_at),
  })
}
