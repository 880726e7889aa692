/** Adds what a review was decided on and what was known of the patient before, so that the decision can be undone. */
import { type Kysely, sql } from 'kysely'
import type { Flavour } from '../flavour.ts'

export async function decidedReviews(db: Kysely<never>, { blob }: Flavour): Promise<void> {
  await sql.raw(`ALTER TABLE task ADD COLUMN sealed_decision ${blob}`).execute(db)
}
