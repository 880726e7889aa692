/** Whether an event and its deliveries belong to the organization and subscriptions that the service gave them to. */
import { timingSafeEqual } from 'node:crypto'
import type { StoreContext } from '../context.ts'
import type { RowFault } from '../rows/check-rows.ts'
import { bindings } from '../sealing/bindings.ts'
import type { Sealed } from '../sealing/cipher.ts'

export interface BoundDelivery {
  eventId: string
  organizationId: number
  subscriptionId: number
  mac: string
  sealedBody: Sealed
}

/**
 * Returns the body of a delivery. Throws when the event is of another organization, or the delivery was made for another subscription.
 * @param row with the organization that its subscription belongs to
 */
export function genuineBody(context: Pick<StoreContext, 'cipher' | 'rows'>, row: BoundDelivery): Buffer {
  if (!isSame(row.mac, context.rows.ofDelivery(row)))
    throw new Error('The delivery was changed in the database without the master key.')
  return context.cipher.open(row.sealedBody, bindings.event(row.eventId, row.organizationId))
}

const isSame = (given: string, right: string): boolean =>
  given.length === right.length && timingSafeEqual(Buffer.from(given), Buffer.from(right))

/** Finds the events and deliveries that were changed without the master key. It opens each event. */
export async function changedEvents({ db, cipher, rows }: StoreContext): Promise<RowFault[]> {
  const found: RowFault[] = []
  for (let last = 0; ; ) {
    const page = await db
      .selectFrom('event')
      .select(['sequence', 'eventId', 'organizationId', 'sealedBody'])
      .where('sequence', '>', last)
      .orderBy('sequence')
      .limit(PAGE)
      .execute()
    for (const row of page)
      if (!isOpened(() => cipher.open(row.sealedBody, bindings.event(row.eventId, row.organizationId))))
        found.push({ table: 'event', id: row.eventId, is: 'changed' })
    last = page.at(-1)?.sequence ?? last
    if (page.length < PAGE) break
  }
  for (let last = 0; ; ) {
    const page = await db
      .selectFrom('delivery')
      .select(['id', 'eventId', 'organizationId', 'subscriptionId', 'mac'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(PAGE)
      .execute()
    for (const { id, mac, ...row } of page)
      if (!isSame(mac, rows.ofDelivery(row))) found.push({ table: 'delivery', id: String(id), is: 'changed' })
    if (page.length < PAGE) return found
    last = page.at(-1)!.id
  }
}

function isOpened(open: () => unknown): boolean {
  try {
    open()
    return true
  } catch {
    return false
  }
}

const PAGE = 500
