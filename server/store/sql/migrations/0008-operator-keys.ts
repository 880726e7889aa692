/** Keys of operators and of administrators' programs, apart from those of senders. */
import { type Kysely, sql } from 'kysely'

export async function operatorKeys(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`CREATE TABLE operator_key (
      key_id text PRIMARY KEY,
      organization_id integer REFERENCES organization (id),
      mode text NOT NULL,
      digest text NOT NULL,
      last4 text NOT NULL,
      description text NOT NULL,
      created_at text NOT NULL,
      expires_at text,
      revoked_at text,
      last_used_at text
    )`)
    .execute(db)
}
