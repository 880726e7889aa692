/** How much waits, of one organization or of all: what the console shows at a glance. */
import type { StoreContext } from '../context.ts'

export interface Counts {
  /** Tasks that ingestion works on, or will. */
  ingesting: number
  inReview: number
  pending: number
  deliveriesWaiting: number
  deliveriesFailed: number
}

/** Counts of one organization, or of all when it is null. */
export async function countsOf(context: StoreContext, organizationId: number | null): Promise<Counts> {
  return {
    ingesting: await count(tasksOf(context, organizationId).where('ingestAt', 'is not', null)),
    inReview: await count(tasksOf(context, organizationId).where('sealedReview', 'is not', null)),
    pending: await count(tasksOf(context, organizationId).where('status', '=', 'Pending')),
    deliveriesWaiting: await count(deliveriesOf(context, organizationId).where('state', '=', 'waiting')),
    deliveriesFailed: await count(deliveriesOf(context, organizationId).where('state', '=', 'failed')),
  }
}

function tasksOf({ db }: StoreContext, organizationId: number | null) {
  const all = db.selectFrom('task').select(({ fn }) => fn.countAll().as('count'))
  return organizationId === null ? all : all.where('organizationId', '=', organizationId)
}

function deliveriesOf({ db }: StoreContext, organizationId: number | null) {
  const all = db.selectFrom('delivery').select(({ fn }) => fn.countAll().as('count'))
  return organizationId === null ? all : all.where('organizationId', '=', organizationId)
}

/** PostgreSQL gives a count as text. */
async function count(query: { executeTakeFirstOrThrow(): Promise<{ count: number | string | bigint }> }) {
  return Number((await query.executeTakeFirstOrThrow()).count)
}
