/** Orders are routed by the NPI of an organization, so no two organizations may have the same. */
import { sql } from 'kysely'
import { Refusal } from '../../domain/refusal.ts'
import type { TransactionContext } from '../context.ts'

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

/** Lets one transaction at a time give NPIs and names to organizations, until its end. */
export const takeTurn = (inside: TransactionContext['db']) =>
  sql`SELECT pg_advisory_xact_lock(${ORGANIZATION_LOCK})`.execute(inside)

/** The key of the advisory lock; nothing else in the database uses it. */
const ORGANIZATION_LOCK = 7_203_115
