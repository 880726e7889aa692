/** Further ids by which a sender knows a patient, kept once a person decided that it is the same one. */
import { type Kysely, sql } from 'kysely'

export async function patientAliases(db: Kysely<never>): Promise<void> {
  await sql
    .raw(`CREATE TABLE patient_alias (
      organization_id integer NOT NULL REFERENCES organization (id),
      external_id_index text NOT NULL,
      patient_id integer NOT NULL REFERENCES patient (id),
      PRIMARY KEY (organization_id, external_id_index)
    )`)
    .execute(db)
}
