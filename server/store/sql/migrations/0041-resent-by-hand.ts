/** What was resent by hand is found without reading all that waits: it goes out although its receiver is paused. */
import { type Kysely, sql } from 'kysely'

export async function resentByHand(db: Kysely<never>): Promise<void> {
  await sql
    .raw(
      "CREATE INDEX delivery_manual ON delivery (subscription_id, due_at) WHERE state = 'waiting' AND next_trigger = 'manual'",
    )
    .execute(db)
}
