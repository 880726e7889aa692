/** How much waits, of one organization or of all: what the console shows at a glance. */
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { COUNTED_UP_TO } from '../../choices.ts'
import type { StoreContext } from '../context.ts'
import type { Schema } from '../sql/schema.ts'

/** Each is exact up to `COUNTED_UP_TO`; one more than that stands for more. */
export interface Counts {
  /** Tasks that ingestion works on, or will. */
  ingesting: number
  inReview: number
  pending: number
  deliveriesWaiting: number
  deliveriesFailed: number
}

/** Counts of one organization, or of all when it is null. */
export async function countsOf({ db }: StoreContext, organizationId: number | null): Promise<Counts> {
  const mine = organizationId === null ? sql<SqlBool>`1 = 1` : sql<SqlBool>`organization_id = ${organizationId}`
  const tasks = () => db.selectFrom('task').select('organizationId').where(mine)
  const deliveries = () => db.selectFrom('delivery').select('organizationId').where(mine)
  const count = async (rows: Rows) => {
    const counted = db.selectFrom(rows.limit(COUNTED_UP_TO + 1).as('counted'))
    const row = await counted.select(({ fn }) => fn.countAll().as('count')).executeTakeFirstOrThrow()
    // PostgreSQL gives a count as text.
    return Number(row.count)
  }
  return {
    ingesting: await count(tasks().where('ingestAt', 'is not', null)),
    inReview: await count(tasks().where('sealedReview', 'is not', null)),
    pending: await count(tasks().where('status', '=', 'Pending')),
    deliveriesWaiting: await count(deliveries().where('state', '=', 'waiting')),
    deliveriesFailed: await count(deliveries().where('state', '=', 'failed')),
  }
}

type Rows = SelectQueryBuilder<Schema, 'task' | 'delivery', { organizationId: number }>
