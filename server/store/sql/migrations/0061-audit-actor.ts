/** Adds the index by which the console lists the entries of the audit log of one actor. */
import { type Kysely, sql } from 'kysely'

export async function auditActor(db: Kysely<never>): Promise<void> {
  await sql`CREATE INDEX audit_actor ON audit (actor_id, (sequence + 0))`.execute(db)
}
