/**
 * Sign-ins that were sent to the provider and have not come back, for all processes together. Each comes back once. Only the
 * digest of its secret is kept, so nobody who reads the store can finish one.
 */
import { sql } from 'kysely'
import { inTransaction, type StoreContext } from '../context.ts'

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
      inTransaction(context, async ({ db, locksRows }) => {
        await sql`DELETE FROM sign_on_attempt WHERE digest IN (
          SELECT digest FROM sign_on_attempt WHERE ends_at <= ${at.toISOString()} LIMIT ${DROPPED_AT_ONCE}
          ${locksRows ? sql`FOR UPDATE SKIP LOCKED` : sql``})`.execute(db)
        await db
          .insertInto('signOnAttempt')
          .values({ digest, ...attempt, endsAt: endsAt.toISOString() })
          .execute()
      }),

    /** Null when there is none, it came back before, or took too long. */
    take: (digest: string, at: Date): Promise<SignOnAttempt | null> =>
      inTransaction(context, async ({ db }) => {
        const row = await db
          .deleteFrom('signOnAttempt')
          .where('digest', '=', digest)
          .returning(['returnTo', 'earlierSession', 'endsAt'])
          .executeTakeFirst()
        if (!row || row.endsAt <= at.toISOString()) return null
        return { returnTo: row.returnTo, earlierSession: row.earlierSession }
      }),
  }
}
