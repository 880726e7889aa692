/** Documents may be kept in a bucket alongside the database: what it knows each by, and what is to be removed from there. */
import { type Kysely, sql } from 'kysely'

export async function objects(db: Kysely<never>): Promise<void> {
  for (const statement of [
    'ALTER TABLE document ADD COLUMN object text',
    'CREATE UNIQUE INDEX document_object ON document (object) WHERE object IS NOT NULL',
    'CREATE TABLE unnamed_object (name text PRIMARY KEY, due_at text NOT NULL, is_doomed integer NOT NULL)',
    'CREATE INDEX unnamed_object_due ON unnamed_object (due_at)',
  ])
    await sql.raw(statement).execute(db)
}
