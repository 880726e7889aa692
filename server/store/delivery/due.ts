/** What waits to be sent: the queues of the subscriptions, and what a delivery consists of. It claims nothing. */
import { sql } from 'kysely'
import type { Queue, Taking } from '../../domain/delivery/lanes.ts'
import { bindings } from '../sealing/bindings.ts'
import type { StoreContext, TransactionContext } from '../sql/context.ts'
import type { AttemptTrigger } from '../sql/schema.ts'

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

/** Written as they stand in the indexes, so that SQLite can see that an index of only such rows will do. */
const WAITING = sql.lit('waiting' as const)
export const NONE = sql.lit(0 as const)

/** The queues that are not empty, of subscriptions that may receive. */
export async function queues({ db }: StoreContext): Promise<Queue[]> {
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
      return ['s.id', 's.organization_id', oldest('=').as('first'), oldest('>').as('retry')]
    })
    .where('s.is_active', '=', 1)
    .where('s.deleted_at', 'is', null)
    .execute()
  const read = (due: string | null) => (due === null ? null : Date.parse(due))
  return rows
    .map((row) => ({
      organizationId: row.organization_id,
      subscriptionId: row.id,
      firstDue: read(row.first),
      retryDue: read(row.retry),
    }))
    .filter(({ firstDue, retryDue }) => firstDue !== null || retryDue !== null)
}

export type DueRow = Awaited<ReturnType<typeof due>>[number]

/** What is due in one lane; locked against other processes where the database can. */
export function due({ db, locksRows }: TransactionContext, taking: Taking, at: Date) {
  const query = db
    .selectFrom('delivery as d')
    .innerJoin('event as e', 'e.event_id', 'd.event_id')
    .innerJoin('subscription as s', 's.id', 'd.subscription_id')
    .select(['d.id', 'd.organization_id', 'd.subscription_id', 'd.event_id', 'd.attempts', 'd.round_start'])
    .select(['d.next_trigger', 'd.due_at', 'e.sealed_body', 's.sealed_url', 's.sealed_secret'])
    .where('d.subscription_id', '=', taking.subscriptionId)
    .where('d.state', '=', WAITING)
    .where('d.attempts', taking.lane === 'first' ? '=' : '>', NONE)
    .where('d.due_at', '<=', at.toISOString())
    .orderBy('d.due_at')
    .orderBy('d.id')
    .limit(taking.limit)
  return (locksRows ? query.forUpdate('d').skipLocked() : query).execute()
}

/** Opens what a delivery consists of; what it has of its subscription once for all its deliveries. */
export function reader({ cipher }: TransactionContext): (row: DueRow) => DueDelivery {
  const receivers = new Map<number, Pick<DueDelivery, 'url' | 'secret'>>()
  const receiverOf = ({ subscription_id: id, organization_id, sealed_url, sealed_secret }: DueRow) => {
    const receiver = receivers.get(id) ?? {
      url: cipher.open(sealed_url, bindings.subscriptionUrl(organization_id, id)).toString('utf8'),
      secret: cipher.open(sealed_secret, bindings.subscriptionSecret(organization_id, id)),
    }
    receivers.set(id, receiver)
    return receiver
  }
  return (row) => ({
    id: row.id,
    organizationId: row.organization_id,
    subscriptionId: row.subscription_id,
    eventId: row.event_id,
    body: cipher.open(row.sealed_body, bindings.event(row.event_id)),
    ...receiverOf(row),
    attemptNumber: row.attempts + 1,
    attemptInRound: row.attempts + 1 - row.round_start,
    trigger: row.next_trigger,
    dueAt: new Date(row.due_at),
  })
}
