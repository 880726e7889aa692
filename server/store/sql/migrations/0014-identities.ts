/** Identities at a provider of single sign-on, linked to accounts, and sign-ins that were sent there and have not come back. */
import { type Kysely, sql } from 'kysely'

export async function identities(db: Kysely<never>): Promise<void> {
  for (const statement of [
    `CREATE TABLE identity (
      issuer text NOT NULL,
      subject text NOT NULL,
      person_id integer NOT NULL REFERENCES person (id),
      linked_at text NOT NULL,
      PRIMARY KEY (issuer, subject)
    )`,
    'CREATE UNIQUE INDEX identity_of_person ON identity (person_id, issuer)',
    `CREATE TABLE sign_on_attempt (
      digest text PRIMARY KEY,
      return_to text NOT NULL,
      earlier_session text,
      ends_at text NOT NULL
    )`,
    'CREATE INDEX sign_on_attempt_end ON sign_on_attempt (ends_at)',
    'ALTER TABLE session ADD COLUMN issuer text',
  ])
    await sql.raw(statement).execute(db)
}
