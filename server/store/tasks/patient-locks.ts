/**
 * Locks for those who look for patients and make, change or remove them, on PostgreSQL; on SQLite one transaction writes at a
 * time. Each lasts until its transaction ends.
 */
import { type RawBuilder, sql } from 'kysely'
import type { TransactionContext } from '../context.ts'

/** The first of the two numbers of an organization's lock. */
const PATIENTS = 7_203_117

/**
 * One at a time looks for a patient and makes it; two at once would make the same one twice. Those of other patients go on
 * meanwhile, even in the same organization.
 * @param indexes keyed, of all that a patient is looked for by
 */
export async function lockPatient(
  { db, locksRows }: TransactionContext,
  organizationId: number,
  indexes: readonly string[],
): Promise<void> {
  if (!locksRows) return
  // In one order, so that two transactions do not wait for each other.
  const keys = indexes.map(keyOf).sort((a, b) => (a < b ? -1 : 1))
  const locks: RawBuilder<unknown>[] = [sql`pg_advisory_xact_lock_shared(${PATIENTS}, ${organizationId})`]
  for (const key of keys) locks.push(sql`pg_advisory_xact_lock(${key.toString()}::bigint)`)
  await sql`SELECT ${sql.join(locks)}`.execute(db)
}

/** Nobody looks for a patient of the organization meanwhile. Several organizations are locked in the order of their ids. */
export async function lockAllPatients({ db, locksRows }: TransactionContext, organizationId: number): Promise<void> {
  if (locksRows) await sql`SELECT pg_advisory_xact_lock(${PATIENTS}, ${organizationId})`.execute(db)
}

/** Two indexes with the same key only wait for each other. */
const keyOf = (index: string): bigint => Buffer.from(index, 'base64url').readBigInt64BE()
