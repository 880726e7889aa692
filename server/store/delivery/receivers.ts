/** Receivers as the console shows them: how each is doing, and how much waits for it. */
import type { Actor } from '../../domain/audit.ts'
import type { StoreContext } from '../context.ts'
import { newestFirst } from '../sql/indexes/newest-first.ts'
import { addressOf, WAITING } from './due.ts'
import { findingFor } from './findings.ts'
import { subscriptionColumns, subscriptionOf } from './subscription-row.ts'
import { subscriptions } from './subscriptions.ts'

export interface Receiver {
  subscriptionId: number
  organizationId: number
  organization: string
  description: string | null
  /** Scheme and host; the rest of the URL may hold a secret. */
  origin: string
  isActive: boolean
  updatedAt: string
  /** Null while it gets callbacks as they come. */
  pause: { isDown: boolean; since: string; until: string } | null
  waiting: number
  /** When the oldest event that waits occurred; null: none waits. */
  oldestWaiting: string | null
  /** The newest attempt among the newest callbacks; null: none was made. */
  lastAttempt: { startedAt: string; status: number | null; outcome: string } | null
}

/** @param organizationId of an administrator, or as chosen; undefined: of all */
export async function listReceivers(
  context: StoreContext,
  at: Date,
  { organizationId, subscriptionId }: { organizationId?: number | undefined; subscriptionId?: number | undefined },
): Promise<Receiver[]> {
  let query = context.db
    .selectFrom('subscription as s')
    .leftJoin('organization as o', 'o.id', 's.organizationId')
    .select(subscriptionColumns.map((name) => `s.${name}` as const))
    .select(['s.finding', 'o.name as organization'])
    .where('s.deletedAt', 'is', null)
  if (organizationId !== undefined) query = query.where('s.organizationId', '=', organizationId)
  if (subscriptionId !== undefined) query = query.where('s.id', '=', subscriptionId)
  const rows = await query.orderBy('s.id').execute()
  const found: Receiver[] = []
  for (const row of rows) {
    const { url, description = null, isActive } = subscriptionOf(context, row)
    const finding = findingFor(addressOf(row.sealedUrl), row.finding)
    const isPaused = finding && isActive && (finding.openings > 0 || finding.pausedUntil > at.getTime())
    found.push({
      subscriptionId: row.id,
      organizationId: row.organizationId,
      organization: row.organization ?? '',
      description,
      origin: new URL(url).origin,
      isActive,
      updatedAt: row.updatedAt,
      pause: isPaused
        ? {
            isDown: finding.openings > 0,
            since: new Date(finding.pausedFrom).toISOString(),
            until: new Date(finding.pausedUntil).toISOString(),
          }
        : null,
      ...(await queueOf(context, row.id)),
      lastAttempt: await lastAttemptOf(context, row.id),
    })
  }
  return found
}

async function queueOf({ db }: StoreContext, subscriptionId: number) {
  const waiting = db
    .selectFrom('delivery as d')
    .where('d.subscriptionId', '=', subscriptionId)
    .where('d.state', '=', WAITING)
  const { count } = await waiting.select(({ fn }) => fn.countAll().as('count')).executeTakeFirstOrThrow()
  const oldest = await waiting
    .innerJoin('event as e', 'e.eventId', 'd.eventId')
    .select('e.occurredAt')
    .orderBy(newestFirst('d.id', true))
    .limit(1)
    .executeTakeFirst()
  return { waiting: Number(count), oldestWaiting: oldest?.occurredAt ?? null }
}

async function lastAttemptOf({ db }: StoreContext, subscriptionId: number): Promise<Receiver['lastAttempt']> {
  const newest = await db
    .selectFrom('delivery as d')
    .select('d.id')
    .where('d.subscriptionId', '=', subscriptionId)
    .orderBy(newestFirst('d.id', true), 'desc')
    .limit(LOOKED_AT)
    .execute()
  if (newest.length === 0) return null
  const attempts = await db
    .selectFrom('attempt')
    .select(['startedAt', 'status', 'outcome'])
    .where(
      'deliveryId',
      'in',
      newest.map(({ id }) => id),
    )
    .execute()
  return attempts.sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1))[0] ?? null
}

/** Turns a receiver on or off, as its sender could. False when there is no such one. */
export const switchReceiver = async (
  context: StoreContext,
  { subscriptionId, organizationId }: Pick<Receiver, 'subscriptionId' | 'organizationId'>,
  isActive: boolean,
  by: Actor,
  at: Date,
): Promise<boolean> =>
  (await subscriptions(context, organizationId, by).update(subscriptionId, { active: isActive }, at)) !== null

/** The newest callbacks whose attempts are looked at. */
const LOOKED_AT = 20
