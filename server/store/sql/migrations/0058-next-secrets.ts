/** Adds the secret of a subscription that replaces another one, and when it does. */
import { type Kysely, sql } from 'kysely'
import type { Flavour } from '../flavour.ts'

export async function nextSecrets(db: Kysely<never>, { blob }: Flavour): Promise<void> {
  await sql.raw(`ALTER TABLE subscription ADD COLUMN sealed_next_secret ${blob}`).execute(db)
  await sql`ALTER TABLE subscription ADD COLUMN next_secret_at text`.execute(db)
}
