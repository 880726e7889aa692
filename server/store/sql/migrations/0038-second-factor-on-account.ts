/**
 * The account says whether its second factor is asked for, in a column that its MAC covers: a second factor whose row was removed is
 * still asked for.
 */
import { type Kysely, sql } from 'kysely'

export async function secondFactorOnAccount(db: Kysely<never>): Promise<void> {
  for (const statement of [
    'ALTER TABLE person ADD COLUMN has_second_factor integer NOT NULL DEFAULT 0',
    'UPDATE person SET has_second_factor = 1 WHERE id IN (SELECT person_id FROM second_factor)',
  ])
    await sql.raw(statement).execute(db)
}
