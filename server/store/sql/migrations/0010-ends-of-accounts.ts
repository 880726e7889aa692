/** Accounts that are disabled for a while, or removed permanently: the row of the person stays, because the audit log names its id. */
import { type Kysely, sql } from 'kysely'

export async function endsOfAccounts(db: Kysely<never>): Promise<void> {
  for (const column of ['disabled_at', 'removed_at', 'removed_email'])
    await sql.raw(`ALTER TABLE person ADD COLUMN ${column} text`).execute(db)
}
