/** The tasks and deliveries that someone has to do something about: a limited number of each, so that a large store answers as soon. */
import { type FailReason, failReasonOf } from '../../domain/task/fail-reasons.ts'
import type { StoreContext } from '../context.ts'
import { newestFirst } from '../sql/indexes/newest-first.ts'
import { unindexed } from '../sql/indexes/unindexed.ts'
import { decisiveColumns, genuineTexts } from './task-row.ts'

export interface Urgent {
  /** When the oldest task that waits for a review was received; null: none waits. */
  oldestReview: string | null
  /** Why tasks failed since the given time, most frequent first. */
  failed: { reason: FailReason | 'unreadable'; count: number }[]
  /** Receivers that did not accept events since then, and how many. */
  undelivered: { subscriptionId: number; count: number }[]
  /** Signers of tasks that were received before the given time and still wait; the longest wait first. */
  slow: SlowSigner[]
}

export interface SlowSigner {
  npi: string
  name: string
  count: number
  oldest: string
  /** Whether the signer has an address to which e-mails about waiting documents go. */
  hasNotices: boolean
}

interface Times {
  since: Date
  slowBefore: Date
}

/** @param organizationId of an administrator; null for an operator: of all */
export async function urgentOf(
  context: StoreContext,
  organizationId: number | null,
  { since, slowBefore }: Times,
): Promise<Urgent> {
  return {
    oldestReview: await oldestReviewOf(context, organizationId),
    failed: await failedSince(context, organizationId, since),
    undelivered: await undeliveredSince(context, organizationId, since),
    slow: await slowSigners(context, organizationId, slowBefore),
  }
}

async function oldestReviewOf({ db }: StoreContext, organizationId: number | null): Promise<string | null> {
  let query = db.selectFrom('task as t').select('t.createdAt').where('t.sealedReview', 'is not', null)
  if (organizationId !== null) query = query.where('t.organizationId', '=', organizationId)
  const row = await query.orderBy(newestFirst('t.id', true)).limit(1).executeTakeFirst()
  return row?.createdAt ?? null
}

async function failedSince(context: StoreContext, organizationId: number | null, since: Date) {
  let query = context.db
    .selectFrom('task')
    .select(['id', 'sealedNotes', ...decisiveColumns])
    .where('status', '=', 'Failed')
    .where('contentsRemovedAt', 'is', null)
    .where('updatedAt', '>=', since.toISOString())
  if (organizationId !== null) query = query.where(unindexed<number>('organizationId'), '=', organizationId)
  const rows = await query.limit(LOOKED_AT).execute()
  const counts = new Map<FailReason | 'unreadable', number>()
  for (const row of rows) {
    const texts = genuineTexts(context, row)
    const reason = failReasonOf(texts?.statusReason ?? null) ?? 'unreadable'
    counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  return [...counts].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count)
}

async function undeliveredSince({ db }: StoreContext, organizationId: number | null, since: Date) {
  let query = db.selectFrom('delivery').select(['subscriptionId', 'updatedAt']).where('state', '=', 'failed')
  if (organizationId !== null) query = query.where('organizationId', '=', organizationId)
  const rows = await query.orderBy(newestFirst('id', true), 'desc').limit(LOOKED_AT).execute()
  const counts = new Map<number, number>()
  for (const { subscriptionId, updatedAt } of rows)
    if (updatedAt >= since.toISOString()) counts.set(subscriptionId, (counts.get(subscriptionId) ?? 0) + 1)
  return [...counts].map(([subscriptionId, count]) => ({ subscriptionId, count }))
}

async function slowSigners({ db }: StoreContext, organizationId: number | null, before: Date): Promise<SlowSigner[]> {
  let query = db.selectFrom('task').select(['signerNpi', 'createdAt']).where('status', '=', 'Pending')
  if (organizationId !== null) query = query.where('organizationId', '=', organizationId)
  const rows = await query.orderBy(newestFirst('id', true)).limit(LOOKED_AT).execute()
  const found = new Map<string, { count: number; oldest: string }>()
  for (const { signerNpi, createdAt } of rows)
    if (createdAt < before.toISOString()) {
      const known = found.get(signerNpi)
      found.set(signerNpi, { count: (known?.count ?? 0) + 1, oldest: known?.oldest ?? createdAt })
    }
  const slowest = [...found].slice(0, SHOWN)
  if (slowest.length === 0) return []
  const npis = slowest.map(([npi]) => npi)
  const named = await db
    .selectFrom('provider as p')
    .leftJoin('noticeSetting as n', 'n.npi', 'p.npi')
    .select(['p.npi', 'p.signingName', 'n.mode', 'n.address'])
    .where('p.npi', 'in', npis)
    .execute()
  const byNpi = new Map(named.map((row) => [row.npi, row]))
  return slowest.map(([npi, waiting]) => {
    const { signingName = `NPI ${npi}`, mode = null, address = null } = byNpi.get(npi) ?? {}
    return { npi, name: signingName, ...waiting, hasNotices: address !== null && mode !== null && mode !== 'off' }
  })
}

const LOOKED_AT = 100
const SHOWN = 20
