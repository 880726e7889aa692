/** Orders are routed by the NPI of an organization, so no two organizations may have the same. */
import { sql } from 'kysely'
import { Refusal } from '../../domain/refusal.ts'
import type { StoreContext, TransactionContext } from '../context.ts'

/** Refuses an NPI that an organization other than `id` has, until the end of the transaction. */
export async function mustBeFree(
  { db, locksRows }: TransactionContext,
  npi: string | null | undefined,
  id: number | null = null,
): Promise<void> {
  if (npi === null || npi === undefined) return
  // Of two processes that give the same NPI at once, the second waits, and then sees what the first has done.
  if (locksRows) await takeTurn(db)
  const owners = await db.selectFrom('organization').select('id').where('npi', '=', npi).orderBy('id').execute()
  const owner = owners.find((one) => one.id !== id)
  if (owner) throw new Refusal('conflict', `npi: organization ${owner.id} has this NPI; no two have the same`)
}

/** The ids of organizations that have one and the same NPI, or null. */
export async function contestedNpi({ db }: Pick<StoreContext, 'db'>): Promise<number[] | null> {
  const shared = db
    .selectFrom('organization')
    .select('npi')
    .where('npi', 'is not', null)
    .groupBy('npi')
    .having(({ fn, eb }) => eb(fn.countAll(), '>', 1))
    .limit(1)
  const rows = await db.selectFrom('organization').select('id').where('npi', 'in', shared).orderBy('id').execute()
  return rows.length === 0 ? null : rows.map(({ id }) => id)
}

/** Makes the database enforce the rule too, once everything stored obeys it. An older store may have to be put in order first. */
export async function keepNpisApart({
  db,
  locksRows,
  patiently,
}: Pick<StoreContext, 'db' | 'locksRows' | 'patiently'>): Promise<void> {
  if ((await contestedNpi({ db })) !== null) return
  await patiently(() =>
    db.transaction().execute(async (inside) => {
      // PostgreSQL fails when two processes create the same index at once.
      if (locksRows) await takeTurn(inside)
      await sql`CREATE UNIQUE INDEX IF NOT EXISTS organization_npi ON organization (npi)`.execute(inside)
    }),
  )
}

/** Lets one transaction at a time give NPIs and names to organizations, until its end. */
export const takeTurn = (inside: TransactionContext['db']) =>
  sql`SELECT pg_advisory_xact_lock(${ORGANIZATION_LOCK})`.execute(inside)

/** The key of the advisory lock; nothing else in the database uses it. */
const ORGANIZATION_LOCK = 7_203_115
