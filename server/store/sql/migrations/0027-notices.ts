/** E-mail notices to signers: their settings, and the e-mails that are owed. */
import { type Kysely, sql } from 'kysely'

export async function notices(db: Kysely<never>): Promise<void> {
  for (const statement of [
    `CREATE TABLE notice_setting (
      npi text PRIMARY KEY REFERENCES provider (npi),
      mode text NOT NULL,
      hour integer NOT NULL,
      time_zone text NOT NULL,
      address text,
      unconfirmed text,
      entered_at text,
      code_digest text,
      code_ends_at text,
      code_tries integer NOT NULL,
      off_key text NOT NULL UNIQUE,
      updated_at text NOT NULL
    )`,
    `CREATE TABLE owed_notice (
      npi text NOT NULL REFERENCES notice_setting (npi),
      kind text NOT NULL,
      due_at text NOT NULL,
      version integer NOT NULL,
      failures integer NOT NULL,
      PRIMARY KEY (npi, kind)
    )`,
    'CREATE INDEX owed_notice_due ON owed_notice (due_at)',
  ])
    await sql.raw(statement).execute(db)
}
