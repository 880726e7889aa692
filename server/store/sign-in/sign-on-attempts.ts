/**
 * Sign-ins that were sent to the provider and have not come back, for all processes together. Each comes back once. Only the
 * digest of its secret is kept, so no one who reads the store can finish one.
 */
import { sql } from 'kysely'
import { inTransaction, type StoreContext } from '../context.ts'
import { genuine } from '../rows/row-macs.ts'
import { addNewRow } from '../rows/write-rows.ts'

export interface SignOnAttempt {
  /** Path of the page that it was begun on. */
  returnTo: string
  /** Digest of the session that the browser had; null when it had none. */
  earlierSession: string | null
}

/** More rows than an attempt adds, so that the table shrinks again after a flood. */
const DROPPED_AT_ONCE = 20

export function signOnAttempts(context: StoreContext) {
  return {
    begin: (digest: string, attempt: SignOnAttempt, at: Date, endsAt: Date): Promise<void> =>
      inTransaction(context, async (inside) => {
        const { db, locksRows } = inside
        await sql`DELETE FROM sign_on_attempt WHERE digest IN (
          SELECT digest FROM sign_on_attempt WHERE ends_at <= ${at.toISOString()} LIMIT ${DROPPED_AT_ONCE}
          ${locksRows ? sql`FOR UPDATE SKIP LOCKED` : sql``})`.execute(db)
        const { returnTo, earlierSession } = attempt
        await addNewRow(inside, 'signOnAttempt', { digest, returnTo, earlierSession, endsAt: endsAt.toISOString() })
      }),

    /** Null when there is none, it came back before, or took too long. */
    take: (digest: string, at: Date): Promise<SignOnAttempt | null> =>
      inTransaction(context, async (inside) => {
        const taken = await inside.db
          .deleteFrom('signOnAttempt')
          .where('digest', '=', digest)
          .returningAll()
          .executeTakeFirst()
        const row = genuine(inside, 'signOnAttempt', taken)
        if (!row || row.endsAt <= at.toISOString()) return null
        return { returnTo: row.returnTo, earlierSession: row.earlierSession }
      }),
  }
}
