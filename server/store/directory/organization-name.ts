/** Organizations are found by their names on the command line and by embedded services, so no two have the same. */
import { sql } from 'kysely'
import { Refusal } from '../../domain/refusal.ts'
import type { StoreContext, TransactionContext } from '../context.ts'
import { takeTurn } from './organization-npi.ts'

/** Refuses a name that an organization has, until the end of the transaction. */
export async function mustBeNew({ db, locksRows }: TransactionContext, name: string): Promise<void> {
  if (locksRows) await takeTurn(db)
  const owner = await db.selectFrom('organization').select('id').where('name', '=', name).executeTakeFirst()
  if (owner) throw new Refusal('conflict', 'name: an organization has this name already')
}

/** Makes the database enforce the rule too, unless an older store breaks it: no one can rename what is there. */
export async function keepNamesApart({
  db,
  locksRows,
  patiently,
}: Pick<StoreContext, 'db' | 'locksRows' | 'patiently'>): Promise<void> {
  const shared = db
    .selectFrom('organization')
    .select('name')
    .groupBy('name')
    .having(({ fn, eb }) => eb(fn.countAll(), '>', 1))
  if (await shared.limit(1).executeTakeFirst()) return
  await patiently(() =>
    db.transaction().execute(async (inside) => {
      // PostgreSQL fails when two processes create the same index at once.
      if (locksRows) await takeTurn(inside)
      await sql`CREATE UNIQUE INDEX IF NOT EXISTS organization_name ON organization (name)`.execute(inside)
    }),
  )
}
