/** Second factors of people, and sign-ins that still lack one. */
import { type Kysely, sql } from 'kysely'
import type { Flavour } from '../flavour.ts'

export async function secondFactor(db: Kysely<never>, { blob }: Flavour): Promise<void> {
  for (const statement of [
    `CREATE TABLE second_factor (
      person_id integer PRIMARY KEY REFERENCES person (id),
      sealed_secret ${blob} NOT NULL,
      last_step integer NOT NULL,
      since text NOT NULL
    )`,
    `CREATE TABLE recovery_code (
      person_id integer NOT NULL REFERENCES person (id),
      digest text NOT NULL,
      PRIMARY KEY (person_id, digest)
    )`,
    `CREATE TABLE second_factor_offer (
      person_id integer PRIMARY KEY REFERENCES person (id),
      holder text NOT NULL,
      sealed_secret ${blob} NOT NULL,
      expires_at text NOT NULL
    )`,
    `CREATE TABLE sign_in_step (
      digest text PRIMARY KEY,
      person_id integer NOT NULL REFERENCES person (id),
      missing text NOT NULL,
      expires_at text NOT NULL
    )`,
    'CREATE INDEX sign_in_step_of_person ON sign_in_step (person_id)',
    'CREATE INDEX sign_in_step_expiry ON sign_in_step (expires_at)',
  ])
    await sql.raw(statement).execute(db)
}
