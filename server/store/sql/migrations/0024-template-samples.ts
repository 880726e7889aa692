/** The PDF on which the fields of a template were placed; those of older templates were kept nowhere. */
import { type Kysely, sql } from 'kysely'
import type { Flavour } from '../flavour.ts'

export async function templateSamples(db: Kysely<never>, { blob }: Flavour): Promise<void> {
  const statement = `CREATE TABLE template_sample (
    template_id integer PRIMARY KEY REFERENCES template (id),
    sealed ${blob} NOT NULL
  )`
  await sql.raw(statement).execute(db)
}
