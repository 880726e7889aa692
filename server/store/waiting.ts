/** How long work has been waiting, for those who watch the service. */
import type { StoreContext } from './context.ts'

export interface Waiting {
  /** When the oldest task was created that ingestion has not finished; null when there is none. */
  oldestTask: Date | null
  /** When the oldest delivery was made that still waits to be received; null when there is none. */
  oldestDelivery: Date | null
}

/** Reads what waits, and nothing else: both queries have an index of that alone. */
export async function waiting({ db }: StoreContext): Promise<Waiting> {
  const task = await db
    .selectFrom('task')
    .select(({ fn }) => fn.min('createdAt').as('since'))
    .where('ingestAt', 'is not', null)
    .executeTakeFirst()
  const delivery = await db
    .selectFrom('delivery')
    .select(({ fn }) => fn.min('createdAt').as('since'))
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  const time = (since: string | null | undefined) => (since ? new Date(since) : null)
  return { oldestTask: time(task?.since), oldestDelivery: time(delivery?.since) }
}
