/** Adds the index by which the console lists the entries of the audit log of one action. */
import { type Kysely, sql } from 'kysely'

export async function auditList(db: Kysely<never>): Promise<void> {
  await sql`CREATE INDEX audit_action ON audit (action, sequence)`.execute(db)
}
