/** Adds the MAC of a delivery, over its event, organization, and subscription. Those of events of earlier versions have none. */
import { type Kysely, sql } from 'kysely'

export async function boundDeliveries(db: Kysely<never>): Promise<void> {
  await sql.raw('ALTER TABLE delivery ADD COLUMN mac text').execute(db)
}
