/** People who sign in to the pages, their sessions, and the signatures that signers keep. */
import { type Kysely, sql } from 'kysely'
import type { Flavour } from '../flavour.ts'

export async function people(db: Kysely<never>, { serial, blob }: Flavour): Promise<void> {
  const run = async (text: string) => {
    await sql.raw(text).execute(db)
  }
  await run(`CREATE TABLE person (
    id ${serial},
    email text NOT NULL UNIQUE,
    name text NOT NULL,
    role text NOT NULL,
    npi text REFERENCES provider (npi),
    organization_id integer REFERENCES organization (id),
    password_hash text,
    created_at text NOT NULL
  )`)
  await run(`CREATE TABLE session (
    digest text PRIMARY KEY,
    person_id integer NOT NULL REFERENCES person (id),
    seen_at text NOT NULL,
    expires_at text NOT NULL
  )`)
  await run('CREATE INDEX session_of_person ON session (person_id)')
  await run('CREATE INDEX session_expiry ON session (expires_at)')
  await run(`CREATE TABLE saved_signature (
    npi text PRIMARY KEY REFERENCES provider (npi),
    sealed ${blob} NOT NULL,
    updated_at text NOT NULL
  )`)
}
