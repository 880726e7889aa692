/**
 * Objects in the bucket that no document names. A name is written down here before anything is put under it, and taken out by
 * the transaction that names it; so whatever a process leaves behind that is killed, or refused, is known and removed.
 */
import { randomBytes } from 'node:crypto'
import { OBJECT_REMOVAL_DELAY_MS, STORE_RETRY_AFTER_MS, UNNAMED_OBJECT_LIFE_MS } from '../../choices.ts'
import { StoreAway } from '../../domain/store-refusals.ts'
import type { Bucket } from '../bucket/bucket.ts'
import { inTransaction, type StoreContext, type TransactionContext } from '../context.ts'

const NAME_BYTES = 24

/** Returns a new name that tells nothing, and may be put now. */
export async function newObject({ db, patiently }: StoreContext, at: Date): Promise<string> {
  const name = randomBytes(NAME_BYTES).toString('hex')
  const dueAt = new Date(at.getTime() + UNNAMED_OBJECT_LIFE_MS).toISOString()
  await patiently(() => db.insertInto('unnamedObject').values({ name, dueAt, isDoomed: 0 }).execute())
  return name
}

/** In the transaction that names it. Refuses when it took so long that the object is being removed. */
export async function nowNamed({ db }: TransactionContext, name: string): Promise<void> {
  const taken = db.deleteFrom('unnamedObject').where('name', '=', name).where('isDoomed', '=', 0)
  if ((await taken.executeTakeFirstOrThrow()).numDeletedRows === 0n)
    throw new StoreAway(STORE_RETRY_AFTER_MS, 'The object storage')
}

/** In the transaction that removes their documents. */
export async function noLongerNamed(
  { db }: TransactionContext,
  documents: readonly { object: string | null }[],
  at: Date,
): Promise<void> {
  const dueAt = new Date(at.getTime() + OBJECT_REMOVAL_DELAY_MS).toISOString()
  const rows = documents.flatMap(({ object }) =>
    object === null ? [] : [{ name: object, dueAt, isDoomed: 1 as const }],
  )
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
    await db
      .insertInto('unnamedObject')
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .execute()
}

/** Rows of one statement, which takes a limited number of values. */
const ROWS_AT_ONCE = 1_000

export interface ObjectClaim {
  at: Date
  /** An object that could not be removed is due again then. */
  leaseUntil: Date
  limit: number
}

/** The part for the worker that removes them. */
export const unnamedObjects = (context: StoreContext, bucket: Bucket) => ({
  /** Takes names that are due; from now on no document may have one of them. */
  claim: ({ at, leaseUntil, limit }: ObjectClaim): Promise<string[]> =>
    inTransaction(context, async ({ db, locksRows }) => {
      const due = db
        .selectFrom('unnamedObject')
        .select('name')
        .where('dueAt', '<=', at.toISOString())
        .orderBy('dueAt')
        .limit(limit)
      const names = (await (locksRows ? due.forUpdate().skipLocked() : due).execute()).map(({ name }) => name)
      const leased = { dueAt: leaseUntil.toISOString(), isDoomed: 1 as const }
      if (names.length > 0) await db.updateTable('unnamedObject').set(leased).where('name', 'in', names).execute()
      return names
    }),

  async nextDue(): Promise<Date | null> {
    const first = context.db.selectFrom('unnamedObject').select('dueAt').orderBy('dueAt').limit(1)
    const row = await first.executeTakeFirst()
    return row ? new Date(row.dueAt) : null
  },

  /** Removes it from the bucket, and then its name. */
  async remove(name: string): Promise<void> {
    await bucket.remove(name)
    await context.db.deleteFrom('unnamedObject').where('name', '=', name).execute()
  },
})
