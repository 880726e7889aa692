/** What waits to be sent: the queues of the subscriptions, and what a delivery consists of. It claims nothing. */
import { sql } from 'kysely'
import type { AttemptTrigger } from '../../domain/delivery/attempt.ts'
import type { Queue, Taking } from '../../domain/delivery/lanes.ts'
import type { StoreContext, TransactionContext } from '../context.ts'
import { bindings } from '../sealing/bindings.ts'

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
          .select(({ fn }) => fn.min('d.dueAt').as('due'))
          .whereRef('d.subscriptionId', '=', 's.id')
          .where('d.state', '=', WAITING)
          .where('d.attempts', lane, NONE)
      return ['s.id', 's.organizationId', oldest('=').as('first'), oldest('>').as('retry')]
    })
    .where('s.isActive', '=', 1)
    .where('s.deletedAt', 'is', null)
    .execute()
  const read = (due: string | null) => (due === null ? null : Date.parse(due))
  return rows
    .map((row) => ({
      organizationId: row.organizationId,
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
    .innerJoin('event as e', 'e.eventId', 'd.eventId')
    .innerJoin('subscription as s', 's.id', 'd.subscriptionId')
    .select(['d.id', 'd.organizationId', 'd.subscriptionId', 'd.eventId', 'd.attempts', 'd.roundStart'])
    .select(['d.nextTrigger', 'd.dueAt', 'e.sealedBody', 's.sealedUrl', 's.sealedSecret'])
    .where('d.subscriptionId', '=', taking.subscriptionId)
    .where('d.state', '=', WAITING)
    .where('d.attempts', taking.lane === 'first' ? '=' : '>', NONE)
    .where('d.dueAt', '<=', at.toISOString())
    .orderBy('d.dueAt')
    .orderBy('d.id')
    .limit(taking.limit)
  return (locksRows ? query.forUpdate('d').skipLocked() : query).execute()
}

/** Opens what a delivery consists of; what it has of its subscription once for all its deliveries. */
export function reader({ cipher }: TransactionContext): (row: DueRow) => DueDelivery {
  const receivers = new Map<number, Pick<DueDelivery, 'url' | 'secret'>>()
  const receiverOf = ({ subscriptionId: id, organizationId, sealedUrl, sealedSecret }: DueRow) => {
    const receiver = receivers.get(id) ?? {
      url: cipher.open(sealedUrl, bindings.subscriptionUrl(organizationId, id)).toString('utf8'),
      secret: cipher.open(sealedSecret, bindings.subscriptionSecret(organizationId, id)),
    }
    receivers.set(id, receiver)
    return receiver
  }
  return (row) => ({
    id: row.id,
    organizationId: row.organizationId,
    subscriptionId: row.subscriptionId,
    eventId: row.eventId,
    body: cipher.open(row.sealedBody, bindings.event(row.eventId)),
    ...receiverOf(row),
    attemptNumber: row.attempts + 1,
    attemptInRound: row.attempts + 1 - row.roundStart,
    trigger: row.nextTrigger,
    dueAt: new Date(row.dueAt),
  })
}
