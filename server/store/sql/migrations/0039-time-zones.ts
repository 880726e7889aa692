/** Where an organization is, so that a date is judged by its calendar; null for the time zone of the service. */
import { type Kysely, sql } from 'kysely'

export async function timeZones(db: Kysely<never>): Promise<void> {
  await sql.raw('ALTER TABLE organization ADD COLUMN time_zone text').execute(db)
}
