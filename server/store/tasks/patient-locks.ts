/**
 * Locks for those who look for patients and make, change or remove them, on PostgreSQL; on SQLite one transaction writes at a
 * time. Each lasts until its transaction ends.
 */
import { sql } from 'kysely'
import type { TransactionContext } from '../context.ts'

/**
 * One transaction at a time looks for a patient and makes it; two at once would make the same one twice. Those of other patients
 * continue in the meantime, even in the same organization, whose row is shared: instances of a version before lock the whole row.
 * @param indexes keyed, of all that a patient is looked for by
 */
export async function lockPatient(
  { db, locksRows }: TransactionContext,
  organizationId: number,
  indexes: readonly string[],
): Promise<void> {
  if (!locksRows) return
  await db.selectFrom('organization').select('id').where('id', '=', organizationId).forShare().execute()
  // In one order, so that two transactions do not wait for each other.
  const keys = indexes.map(keyOf).sort((a, b) => (a < b ? -1 : 1))
  const locks = keys.map((key) => sql`pg_advisory_xact_lock(${key.toString()}::bigint)`)
  await sql`SELECT ${sql.join(locks)}`.execute(db)
}

/** No one looks for a patient of the organization in the meantime. Several organizations are locked in the order of their ids. */
export async function lockAllPatients({ db, locksRows }: TransactionContext, organizationId: number): Promise<void> {
  if (!locksRows) return
  await db.selectFrom('organization').select('id').where('id', '=', organizationId).forNoKeyUpdate().execute()
}

/** Two indexes with the same key only wait for each other. */
const keyOf = (index: string): bigint => Buffer.from(index, 'base64url').readBigInt64BE()
