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
  mac: string | null
  sealedBody: Sealed
}

/**
 * Returns the body of a delivery. Throws when the event is of another organization, or the delivery was made for another subscription.
 * @param row with the organization that its subscription belongs to
 */
export function genuineBody(context: Pick<StoreContext, 'cipher' | 'rows'>, row: BoundDelivery): Buffer {
  const { body, isOfEarlierVersion } = openEvent(context, row)
  const isGenuine = row.mac === null ? isOfEarlierVersion : isSame(row.mac, context.rows.ofDelivery(row))
  if (!isGenuine) throw new Error('The delivery was changed in the database without the master key.')
  return body
}

/** Earlier versions did not bind an event to its organization. */
function openEvent(
  { cipher }: Pick<StoreContext, 'cipher'>,
  { eventId, organizationId, sealedBody }: Pick<BoundDelivery, 'eventId' | 'organizationId' | 'sealedBody'>,
): { body: Buffer; isOfEarlierVersion: boolean } {
  try {
    return { body: cipher.open(sealedBody, bindings.event(eventId, organizationId)), isOfEarlierVersion: false }
  } catch {
    return { body: cipher.open(sealedBody, bindings.earlierEvent(eventId)), isOfEarlierVersion: true }
  }
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
      if (!isOpened(() => openEvent({ cipher }, row))) found.push({ table: 'event', id: row.eventId, is: 'changed' })
    last = page.at(-1)?.sequence ?? last
    if (page.length < PAGE) break
  }
  for (let last = 0; ; ) {
    const page = await db
      .selectFrom('delivery as d')
      .leftJoin('event as e', 'e.eventId', 'd.eventId')
      .select(['d.id', 'd.eventId', 'd.organizationId', 'd.subscriptionId', 'd.mac'])
      .select((row) =>
        row.case().when('d.mac', 'is', null).then(row.ref('e.sealedBody')).else(null).end().as('sealedBody'),
      )
      .where('d.id', '>', last)
      .orderBy('d.id')
      .limit(PAGE)
      .execute()
    for (const { id, sealedBody, ...row } of page) {
      const isGenuine =
        row.mac !== null
          ? isSame(row.mac, rows.ofDelivery(row))
          : sealedBody !== null && isOpened(() => genuineBody({ cipher, rows }, { ...row, sealedBody }))
      if (!isGenuine) found.push({ table: 'delivery', id: String(id), is: 'changed' })
    }
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
