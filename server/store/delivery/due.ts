/** Reads the deliveries that are due: the queues of the subscriptions, and the parts of a delivery. It claims nothing. */
import { sql } from 'kysely'
import type { AttemptTrigger } from '../../domain/delivery/attempt.ts'
import type { Queue, Taking } from '../../domain/delivery/lanes.ts'
import type { StoreContext, TransactionContext } from '../context.ts'
import { joined, whole } from '../rows/row-macs.ts'
import type { Sealed } from '../sealing/cipher.ts'
import { findingFor } from './findings.ts'
import { genuineBody } from './genuine.ts'
import { openSecrets, openUrl } from './subscription-row.ts'

export interface DueDelivery {
  id: number
  organizationId: number
  subscriptionId: number
  eventId: string
  /** The bytes to send; the same on every attempt. */
  body: Buffer
  url: string
  /** Represents the URL, as in the queues. */
  address: string
  /** The valid secrets of the subscription, 32 bytes each, first the one that signs our own header. */
  secrets: readonly [Buffer, ...Buffer[]]
  /** Counted from 1, over all rounds. */
  attemptNumber: number
  /** Counted from 1; a redelivery begins the schedule again. */
  attemptInRound: number
  trigger: AttemptTrigger
  dueAt: Date
}

/** Written into the statement as they are in the indexes, so that SQLite can see that an index of only such rows will do. */
export const WAITING = sql.lit('waiting' as const)
export const NONE = sql.lit(0 as const)
const MANUAL = sql.lit('manual' as const)

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
      const byHand = outer
        .selectFrom('delivery as d')
        .select(({ fn }) => fn.min('d.dueAt').as('due'))
        .whereRef('d.subscriptionId', '=', 's.id')
        .where('d.state', '=', WAITING)
        .where('d.nextTrigger', '=', MANUAL)
      return [
        's.id',
        's.organizationId',
        's.sealedUrl',
        's.finding',
        oldest('=').as('first'),
        oldest('>').as('retry'),
        byHand.as('manual'),
      ]
    })
    .where('s.isActive', '=', 1)
    .where('s.deletedAt', 'is', null)
    .execute()
  return rows
    .filter(({ first, retry }) => first !== null || retry !== null)
    .map(({ id, organizationId, sealedUrl, finding, first, retry, manual }) => ({
      organizationId,
      subscriptionId: id,
      address: addressOf(sealedUrl),
      finding: findingFor(addressOf(sealedUrl), finding),
      firstDue: first === null ? null : Date.parse(first),
      retryDue: retry === null ? null : Date.parse(retry),
      manualDue: manual === null ? null : Date.parse(manual),
    }))
}

/** Represents a URL without saying it: another value whenever the URL changes. */
export const addressOf = (sealedUrl: Sealed): string => Buffer.from(sealedUrl).toString('base64')

export type DueRow = Awaited<ReturnType<typeof due>>[number]

/** Reads what is due in some lanes, in one statement; locked against other processes where the database can. */
export async function due(inside: TransactionContext, takings: readonly Taking[], at: Date) {
  const [first, ...others] = takings.map((taking) =>
    inside.db.selectFrom(dueInLane(inside, taking, at).as('due')).selectAll(),
  )
  return first ? others.reduce((all, lane) => all.unionAll(lane), first).execute() : []
}

function dueInLane({ db, locksRows }: TransactionContext, taking: Taking, at: Date) {
  const query = db
    .selectFrom('delivery as d')
    .innerJoin('event as e', 'e.eventId', 'd.eventId')
    .innerJoin('subscription as s', 's.id', 'd.subscriptionId')
    .select(['d.id', 'd.organizationId', 'd.subscriptionId', 'd.eventId', 'd.attempts', 'd.roundStart'])
    .select(['d.nextTrigger', 'd.dueAt', 'd.mac', 'e.sealedBody', 's.sealedUrl'])
    .select(whole('subscription', 's'))
    .where('d.subscriptionId', '=', taking.subscriptionId)
    .where('d.state', '=', WAITING)
    .$if(taking.lane === 'manual', (lane) => lane.where('d.nextTrigger', '=', MANUAL))
    .$if(taking.lane !== 'manual', (lane) => lane.where('d.attempts', taking.lane === 'first' ? '=' : '>', NONE))
    .where('d.dueAt', '<=', at.toISOString())
    .where('s.isActive', '=', 1)
    .where('s.deletedAt', 'is', null)
    .orderBy('d.dueAt')
    .orderBy('d.id')
    .limit(taking.limit)
  return locksRows ? query.forUpdate('d').skipLocked() : query
}

/** Returns what opens a row. URL and secrets are opened once for all deliveries of their subscription. */
export function opener(context: TransactionContext, at: Date): (row: DueRow) => DueDelivery {
  const receivers = new Map<number, Pick<DueDelivery, 'url' | 'address' | 'secrets' | 'organizationId'>>()
  const receiverOf = (row: DueRow) => {
    const subscription = { ...row, id: row.subscriptionId }
    const known = receivers.get(row.subscriptionId)
    if (known) return known
    const genuine = joined(context, 'subscription', row)
    if (!genuine)
      throw new Error(`subscription ${row.subscriptionId} was changed in the database without the master key.`)
    const receiver = {
      organizationId: genuine.organizationId,
      url: openUrl(context, subscription),
      address: addressOf(row.sealedUrl),
      secrets: openSecrets(context, genuine, at),
    }
    receivers.set(row.subscriptionId, receiver)
    return receiver
  }
  return (row) => ({
    id: row.id,
    subscriptionId: row.subscriptionId,
    eventId: row.eventId,
    body: genuineBody(context, { ...row, organizationId: receiverOf(row).organizationId }),
    ...receiverOf(row),
    attemptNumber: row.attempts + 1,
    attemptInRound: row.attempts + 1 - row.roundStart,
    trigger: row.nextTrigger,
    dueAt: new Date(row.dueAt),
  })
}
