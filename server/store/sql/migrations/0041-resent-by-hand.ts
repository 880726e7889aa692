/**
 * Indexes deliveries resent by hand, so that they are found without reading all that wait: they are sent although their
 * receiver is paused.
 */
import { type Kysely, sql } from 'kysely'

export async function resentByHand(db: Kysely<never>): Promise<void> {
  await sql
    .raw(
      "CREATE INDEX delivery_manual ON delivery (subscription_id, due_at) WHERE state = 'waiting' AND next_trigger = 'manual'",
    )
    .execute(db)
}
