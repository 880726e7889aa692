/** Whether the database does its part. */
import { inTransaction, type StoreContext } from './context.ts'
import type { Patience } from './sql/patience.ts'
import type { QueueState } from './sql/store-queue.ts'

/**
 * A database that answered this recently need not be asked again, unless requests wait longer than this: then the question waits in
 * line as they do.
 */
const JUST_NOW_MS = 500
const PROBE = 'written to see whether it can be'

/** Resolves when it answers. After a write that failed, only another write tells whether it can write again. */
export async function ping(context: StoreContext, patience: Patience, queue: QueueState): Promise<void> {
  if (!patience.cannotWrite()) {
    const isQuick = patience.sinceAnswerMs() < JUST_NOW_MS && queue.oldestMs < JUST_NOW_MS
    if (!patience.isAway() && isQuick) return
    await context.db.selectFrom('probe').select('name').limit(1).execute()
    return
  }
  await inTransaction(context, async ({ db }) => {
    await db
      .insertInto('probe')
      .values({ name: PROBE })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await db.deleteFrom('probe').where('name', '=', PROBE).execute()
  })
}
