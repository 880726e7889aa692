/** Many events at once, past the store: the same change again, as the store has written it. */
import { randomUUID } from 'node:crypto'
import type { StatusEvent } from '../../../lib/contract/event.ts'
import { inTransaction } from '../../../server/store/context.ts'
import { openContext } from '../../../server/store/open-context.ts'
import { bindings } from '../../../server/store/sealing/bindings.ts'

const ROWS_AT_ONCE = 1_000

interface Repeated {
  /** A folder, or a `postgres://` URL. */
  data: string
  masterKey: Uint8Array
  /** Of an event that is there. */
  eventId: string
  times: number
}

/** The new events have ids of their own, and wait for their deliveries. */
export async function repeatEvent({ data, masterKey, eventId, times }: Repeated): Promise<void> {
  const { context, close } = await openContext({ data }, masterKey, [])
  try {
    await inTransaction(context, async ({ db, cipher }) => {
      const found = await db.selectFrom('event').selectAll().where('eventId', '=', eventId).executeTakeFirstOrThrow()
      const { sequence: _, ...row } = found
      const event = JSON.parse(
        cipher.open(row.sealedBody, bindings.event(eventId, row.organizationId)).toString(),
      ) as StatusEvent
      const rows = Array.from({ length: times }, () => {
        const again: StatusEvent = { ...event, eventId: randomUUID() }
        const sealedBody = cipher.seal(JSON.stringify(again), bindings.event(again.eventId, row.organizationId))
        return { ...row, eventId: again.eventId, sealedBody, isFannedOut: 0 as const }
      })
      for (let from = 0; from < times; from += ROWS_AT_ONCE)
        await db
          .insertInto('event')
          .values(rows.slice(from, from + ROWS_AT_ONCE))
          .execute()
    })
  } finally {
    await close()
  }
}
