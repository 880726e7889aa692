/** How many requests the keys have left, counted for all instances together. Only a store that several share counts them. */
import { STORE_RETRY_AFTER_MS } from '../choices.ts'
import { FILLS_IN_MS, fullBucket, takeSome } from '../domain/delivery/rate.ts'
import { OutcomeUnknown, StoreAway } from '../domain/store-refusals.ts'
import { inTransaction, type StoreContext, type TransactionContext } from './context.ts'

export interface RateSlice {
  perMinute: number
  /** How many are taken at once at most. */
  most: number
}

/** How many were taken; when none, how long to wait for one. */
export interface Taken {
  taken: number
  waitMs: number
}

export type KeyRates = ReturnType<typeof keyRates>

export const keyRates = (context: StoreContext) => ({
  take: (keyId: string, slice: RateSlice, at: Date): Promise<Taken> =>
    inTransaction(context, (inside) => take(inside, keyId, slice, at)).catch((failure: unknown) => {
      // Tokens that may have been taken are lost; the request itself has changed nothing.
      throw failure instanceof OutcomeUnknown ? new StoreAway(STORE_RETRY_AFTER_MS) : failure
    }),

  /** Drops the counts of keys that have all their requests left. */
  async sweep(at: Date): Promise<void> {
    const full = new Date(at.getTime() - FILLS_IN_MS).toISOString()
    await context.db.deleteFrom('keyRate').where('at', '<', full).execute()
  },
})

async function take(
  { db, locksRows }: TransactionContext,
  keyId: string,
  { perMinute, most }: RateSlice,
  at: Date,
): Promise<Taken> {
  await db
    .insertInto('keyRate')
    .values({ keyId, remaining: perMinute, at: at.toISOString() })
    .onConflict((conflict) => conflict.column('keyId').doNothing())
    .execute()
  const query = db.selectFrom('keyRate').select(['remaining', 'at']).where('keyId', '=', keyId)
  const row = await (locksRows ? query.forUpdate() : query).executeTakeFirst()
  // Swept between the two statements, so it was full.
  const before = row ? { left: row.remaining, at: Date.parse(row.at) } : fullBucket(perMinute, at.getTime())
  const { taken, waitMs, bucket } = takeSome(before, perMinute, at.getTime(), most)
  await db
    .updateTable('keyRate')
    .set({ remaining: bucket.left, at: new Date(bucket.at).toISOString() })
    .where('keyId', '=', keyId)
    .execute()
  return { taken, waitMs }
}
