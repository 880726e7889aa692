/** Failed sign-ins, counted for all processes together, and the devices that people have signed in from. */
import { type Kysely, sql } from 'kysely'

export async function signInTries(db: Kysely<never>): Promise<void> {
  for (const statement of [
    `CREATE TABLE sign_in_tries (
      name text PRIMARY KEY,
      account text,
      count integer NOT NULL,
      first_at text NOT NULL,
      wait_until text,
      ends_at text NOT NULL
    )`,
    'CREATE INDEX sign_in_tries_of_account ON sign_in_tries (account)',
    'CREATE INDEX sign_in_tries_end ON sign_in_tries (ends_at)',
    `CREATE TABLE known_device (
      digest text NOT NULL,
      person_id integer NOT NULL REFERENCES person (id),
      expires_at text NOT NULL,
      PRIMARY KEY (digest, person_id)
    )`,
    'CREATE INDEX known_device_of_person ON known_device (person_id)',
    'CREATE INDEX known_device_expiry ON known_device (expires_at)',
  ])
    await sql.raw(statement).execute(db)
}
