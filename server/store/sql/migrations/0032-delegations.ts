/** Signers who let a colleague sign for them for a time. Where no one has said otherwise, an organization allows none. */
import { type Kysely, sql } from 'kysely'
import type { Flavour } from '../flavour.ts'

export async function delegations(db: Kysely<never>, { serial }: Flavour): Promise<void> {
  for (const statement of [
    'ALTER TABLE organization ADD COLUMN allows_delegation integer NOT NULL DEFAULT 0',
    `CREATE TABLE delegation (
      id ${serial},
      organization_id integer NOT NULL REFERENCES organization (id),
      signer_npi text NOT NULL REFERENCES provider (npi),
      delegate_npi text NOT NULL REFERENCES provider (npi),
      starts_at text NOT NULL,
      ends_at text NOT NULL,
      created_at text NOT NULL,
      ended_at text
    )`,
    'CREATE INDEX delegation_of_signer ON delegation (signer_npi) WHERE ended_at IS NULL',
    'CREATE INDEX delegation_of_delegate ON delegation (delegate_npi) WHERE ended_at IS NULL',
    'ALTER TABLE event ADD COLUMN delegate_npi text',
    'CREATE INDEX event_of_delegate ON event (delegate_npi, sequence) WHERE delegate_npi IS NOT NULL',
  ])
    await sql.raw(statement).execute(db)
}
