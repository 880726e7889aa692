/** Receivers as the console shows them: how each is doing, and how much waits for it. */
import type { Actor } from '../../domain/audit.ts'
import { inTransaction, type StoreContext } from '../context.ts'
import { genuine } from '../rows/row-macs.ts'
import { newestFirst } from '../sql/indexes/newest-first.ts'
import { addressOf, type DueDelivery, WAITING } from './due.ts'
import { findingFor, keepFindings } from './findings.ts'
import { openSecrets, openUrl, subscriptionColumns, subscriptionOf } from './subscription-row.ts'
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
  /** From when on its newer secret alone is valid; null: it has one secret. */
  newSecretFrom: string | null
  /** Null while it gets callbacks as they come. */
  pause: { isDown: boolean; since: string; until: string } | null
  waiting: number
  /** When the oldest event that waits occurred; null: none waits. */
  oldestWaiting: string | null
  /** The newest attempt among the newest callbacks; null: none was made. */
  lastAttempt: { startedAt: string; status: number | null; outcome: string } | null
  /** Attempts at the newest callbacks in each of the last 24 hours, the oldest hour first. */
  hours: { accepted: number; failed: number }[]
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
    .select(['s.finding', 's.nextSecretAt', 'o.name as organization'])
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
      newSecretFrom: row.nextSecretAt !== null && row.nextSecretAt > at.toISOString() ? row.nextSecretAt : null,
      pause: isPaused
        ? {
            isDown: finding.openings > 0,
            since: new Date(finding.pausedFrom).toISOString(),
            until: new Date(finding.pausedUntil).toISOString(),
          }
        : null,
      ...(await queueOf(context, row.id)),
      ...(await attemptsAt(context, row.id, at)),
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

/** The newest attempt, and how many ended well or badly in each hour. */
async function attemptsAt({ db }: StoreContext, subscriptionId: number, at: Date) {
  const newest = db
    .selectFrom('delivery as d')
    .select('d.id')
    .where('d.subscriptionId', '=', subscriptionId)
    .orderBy(newestFirst('d.id', true), 'desc')
    .limit(LOOKED_AT)
  const ids = (await newest.execute()).map(({ id }) => id)
  const attempts =
    ids.length === 0
      ? []
      : await db
          .selectFrom('attempt')
          .select(['startedAt', 'status', 'outcome'])
          .where('deliveryId', 'in', ids)
          .execute()
  const hours = Array.from({ length: HOURS }, () => ({ accepted: 0, failed: 0 }))
  for (const { startedAt, outcome } of attempts) {
    const hour = hours[HOURS - 1 - Math.floor((at.getTime() - Date.parse(startedAt)) / HOUR_MS)]
    if (hour) hour[outcome === 'delivered' ? 'accepted' : 'failed']++
  }
  const lastAttempt = attempts.sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1))[0] ?? null
  return { lastAttempt, hours }
}

/** Returns what calling a receiver takes; null where there is no active one, or its row was changed without the master key. */
export async function reachReceiver(
  context: StoreContext,
  subscriptionId: number,
  at: Date,
): Promise<Pick<DueDelivery, 'organizationId' | 'url' | 'secrets'> | null> {
  const query = context.db
    .selectFrom('subscription')
    .selectAll()
    .where('id', '=', subscriptionId)
    .where('isActive', '=', 1)
    .where('deletedAt', 'is', null)
  const row = genuine(context, 'subscription', await query.executeTakeFirst())
  return (
    row && { organizationId: row.organizationId, url: openUrl(context, row), secrets: openSecrets(context, row, at) }
  )
}

/**
 * Ends the pause of a receiver at once, in all instances; what is due goes out. False where it is not paused. A receiver that
 * continues to fail is paused again.
 */
export const resumeReceiver = async (
  context: StoreContext,
  { subscriptionId, organizationId }: Pick<Receiver, 'subscriptionId' | 'organizationId'>,
  by: Actor,
  at: Date,
): Promise<boolean> => {
  const isResumed = await inTransaction(context, async (inside) => {
    const query = inside.db.selectFrom('subscription').select(['sealedUrl', 'finding']).where('id', '=', subscriptionId)
    const row = await (inside.locksRows ? query.forNoKeyUpdate() : query).executeTakeFirst()
    const address = row && addressOf(row.sealedUrl)
    const finding = address === undefined ? null : findingFor(address, row?.finding ?? null)
    if (address === undefined || !finding || (finding.openings === 0 && finding.pausedUntil <= at.getTime()))
      return false
    const resumed = { ...finding, at: Math.max(at.getTime(), finding.at + 1), openings: 0, pausedUntil: 0 }
    await keepFindings(inside, [{ delivery: { subscriptionId, address }, finding: resumed }])
    inside.audit({ action: 'subscription.resume', by, at, organizationId, subject: subscriptionId })
    return true
  })
  if (isResumed) context.announce('event')
  return isResumed
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
const LOOKED_AT = 200
const HOURS = 24
const HOUR_MS = 60 * 60 * 1000
