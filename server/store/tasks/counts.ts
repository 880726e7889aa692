/** How much waits, of one organization or of all: what the console shows at a glance. The database keeps it with each change. */
import type { StoreContext } from '../context.ts'
import type { CountName } from '../sql/tables/service-tables.ts'

/** `ingesting`: tasks that ingestion works on, or will. */
export type Counts = Record<CountName, number>

/** A sender whose tasks have never waited has no row. */
const NOTHING: Counts = { ingesting: 0, inReview: 0, pending: 0, deliveriesWaiting: 0, deliveriesFailed: 0 }

/** Counts of one organization, or of all when it is null. */
export async function countsOf({ db }: StoreContext, organizationId: number | null): Promise<Counts> {
  const all = db.selectFrom('workCount').select(({ fn }) => ['name', fn.sum('count').as('count')])
  const mine = organizationId === null ? all : all.where('organizationId', '=', organizationId)
  const rows = await mine.groupBy('name').execute()
  // PostgreSQL gives a sum as text.
  return { ...NOTHING, ...Object.fromEntries(rows.map(({ name, count }) => [name, Number(count)])) }
}
