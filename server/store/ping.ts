/** Whether the database does its part. */
import { inTransaction, type StoreContext } from './context.ts'
import type { Patience } from './sql/patience.ts'

/** It need not be asked again, and nobody who asks how it is has to stand in line behind large documents. */
const JUST_NOW_MS = 500

/** Resolves when it answers. After a write that failed, only another write tells whether it can write again. */
export async function ping(context: StoreContext, patience: Patience): Promise<void> {
  if (!patience.cannotWrite()) {
    if (!patience.isAway() && patience.sinceAnswerMs() < JUST_NOW_MS) return
    await context.db.selectFrom('chore').select('name').limit(1).execute()
    return
  }
  await inTransaction(context, async ({ db }) => {
    await db
      .insertInto('chore')
      .values({ name: 'probe' })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await db.deleteFrom('chore').where('name', '=', 'probe').execute()
  })
}
