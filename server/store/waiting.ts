/** How long work has been waiting, for those who watch the service. */
import type { StoreContext } from './context.ts'
import { WAITING } from './delivery/due.ts'

export interface Waiting {
  /** When the oldest task was created that ingestion has not finished; null when there is none. */
  oldestTask: Date | null
  /** Since when the oldest delivery has been waiting to be received, from its redelivery on if there was one; null: none waits. */
  oldestDelivery: Date | null
}

/** Reads what waits, and nothing else: both queries have an index of that alone. */
export async function waiting({ db }: StoreContext): Promise<Waiting> {
  const task = await db
    .selectFrom('task')
    .select('createdAt as since')
    .where('ingestAt', 'is not', null)
    .orderBy('createdAt')
    .limit(1)
    .executeTakeFirst()
  const delivery = await db
    .selectFrom('delivery')
    .select('roundAt as since')
    .where('state', '=', WAITING)
    // Leaves nothing out. Without it SQLite may read and sort all that waits, by an index of the state.
    .where('roundAt', '>=', '')
    .orderBy('roundAt')
    .limit(1)
    .executeTakeFirst()
  const time = (since: string | undefined) => (since ? new Date(since) : null)
  return { oldestTask: time(task?.since), oldestDelivery: time(delivery?.since) }
}
