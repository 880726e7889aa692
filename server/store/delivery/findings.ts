/** How receivers are doing, as one instance found out and the others should know: kept with the subscription, and its address. */
import type { Finding } from '../../domain/delivery/endpoint.ts'
import type { StoreContext, TransactionContext } from '../context.ts'
import { later } from '../sql/later.ts'
import { addressOf, type DueDelivery } from './due.ts'

interface Kept extends Finding {
  address: string
}

/** Reads the column; null where it holds nothing of this address. */
export function findingFor(address: string, column: string | null): Finding | null {
  if (column === null) return null
  const { address: about, ...finding } = JSON.parse(column) as Kept
  return about === address ? finding : null
}

interface Found {
  delivery: Pick<DueDelivery, 'subscriptionId' | 'address'>
  finding: Finding | null
}

/** Keeps the newest finding of each receiver. */
export async function keepFindings({ db }: TransactionContext, found: readonly Found[]): Promise<void> {
  const newest = new Map<number, Kept>()
  for (const { delivery, finding } of found)
    if (finding && finding.at >= (newest.get(delivery.subscriptionId)?.at ?? 0))
      newest.set(delivery.subscriptionId, { ...finding, address: delivery.address })
  // In one order, so that two processes do not wait for each other.
  for (const [id, kept] of [...newest].sort(([a], [b]) => a - b))
    await later(
      db,
      db
        .updateTable('subscription')
        .set({ finding: JSON.stringify(kept) })
        .where('id', '=', id),
    )
}

/** A receiver that gets nothing for now, or a single call as a probe. */
export interface Spared {
  subscriptionId: number
  organizationId: number
  since: Date
  until: Date
  /** Most calls failed; otherwise it is overloaded, or asked for a pause. */
  isDown: boolean
}

/** The receivers of an organization, or of all, that are spared: those that have been for longest first. */
export async function sparedReceivers({ db }: StoreContext, at: Date, organizationId?: number): Promise<Spared[]> {
  let query = db
    .selectFrom('subscription')
    .select(['id', 'organizationId', 'sealedUrl', 'finding'])
    .where('finding', 'is not', null)
    .where('isActive', '=', 1)
    .where('deletedAt', 'is', null)
  if (organizationId !== undefined) query = query.where('organizationId', '=', organizationId)
  return (await query.execute())
    .flatMap(({ id, organizationId, sealedUrl, finding: column }) => {
      const finding = findingFor(addressOf(sealedUrl), column)
      if (!finding || (finding.openings === 0 && finding.pausedUntil <= at.getTime())) return []
      const { pausedFrom, pausedUntil, openings } = finding
      const isDown = openings > 0
      return [{ subscriptionId: id, organizationId, since: new Date(pausedFrom), until: new Date(pausedUntil), isDown }]
    })
    .sort((a, b) => a.since.getTime() - b.since.getTime())
}
