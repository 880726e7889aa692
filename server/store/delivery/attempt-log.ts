/** The log of attempts, for people: when each was made and how it ended. */
import type { Selectable } from 'kysely'
import type { StoreContext } from '../context.ts'
import type { Schema } from '../sql/schema.ts'

export interface Attempt extends Omit<Selectable<Schema['attempt']>, 'deliveryId' | 'number' | 'nextAt'> {
  /** Counted from 1, over all rounds of its delivery. */
  attemptNumber: number
  /** When the next attempt was due after this one; null when none was. */
  nextAttemptAt: string | null
}

/** The attempts of a delivery, in order. */
export async function attemptsOf({ db }: StoreContext, deliveryId: number): Promise<Attempt[]> {
  const rows = await db
    .selectFrom('attempt')
    .selectAll()
    .where('deliveryId', '=', deliveryId)
    .orderBy('number')
    .execute()
  return rows.map(attemptOf)
}

/** Removes attempts that began before `before`, and the oldest beyond `maxRows`. Returns how many were removed. */
export async function trimAttempts(context: StoreContext, before: Date, maxRows: number): Promise<number> {
  const tooOld = before.toISOString()
  const oldestKept = await startOfNth(context, maxRows)
  const limit = oldestKept !== undefined && oldestKept > tooOld ? oldestKept : tooOld
  for (let removed = 0; ; ) {
    const count = await removeSome(context, limit)
    removed += count
    // A little at a time: others who wait for the database are let in between.
    if (count < ROWS_AT_ONCE) return removed
  }
}

/** When the attempt began that is the nth from the newest; undefined when there are fewer. */
async function startOfNth({ db }: StoreContext, n: number): Promise<string | undefined> {
  const newestFirst = db.selectFrom('attempt').select('startedAt').orderBy('startedAt', 'desc')
  const row = await newestFirst
    .offset(n - 1)
    .limit(1)
    .executeTakeFirst()
  return row?.startedAt
}

async function removeSome({ db }: StoreContext, startedBefore: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('attempt')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('deliveryId', 'number'),
        'in',
        selectFrom('attempt as a')
          .select(['a.deliveryId', 'a.number'])
          .where('a.startedAt', '<', startedBefore)
          .limit(ROWS_AT_ONCE)
          .$asTuple('deliveryId', 'number'),
      ),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

const attemptOf = ({ number, nextAt, deliveryId, ...row }: Selectable<Schema['attempt']>): Attempt => ({
  attemptNumber: number,
  ...row,
  nextAttemptAt: nextAt,
})

const ROWS_AT_ONCE = 1_000
