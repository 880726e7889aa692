/** Leases with an owner, rounds of redelivery, what an attempt took, and the audit log. */
import { type Kysely, sql } from 'kysely'

export async function deliveryLog(db: Kysely<never>): Promise<void> {
  const statements = [
    'ALTER TABLE delivery ADD COLUMN lease text',
    'ALTER TABLE delivery ADD COLUMN round_start integer NOT NULL DEFAULT 0',
    "ALTER TABLE delivery ADD COLUMN round_at text NOT NULL DEFAULT ''",
    "ALTER TABLE delivery ADD COLUMN next_trigger text NOT NULL DEFAULT 'scheduled'",
    'UPDATE delivery SET round_at = created_at',
    'DROP INDEX delivery_due',
    // One index for each lane: a queue of ten thousand retries is not looked through to find a first attempt.
    `CREATE INDEX delivery_first ON delivery (subscription_id, due_at) WHERE state = 'waiting' AND attempts = 0`,
    `CREATE INDEX delivery_retry ON delivery (subscription_id, due_at) WHERE state = 'waiting' AND attempts > 0`,
    'ALTER TABLE attempt ADD COLUMN scheduled_at text',
    'ALTER TABLE attempt ADD COLUMN connect_ms integer',
    'ALTER TABLE attempt ADD COLUMN first_byte_ms integer',
    'ALTER TABLE attempt ADD COLUMN answer_bytes integer NOT NULL DEFAULT 0',
    'ALTER TABLE attempt ADD COLUMN next_at text',
    'CREATE INDEX attempt_started ON attempt (started_at)',
    `CREATE TABLE audit (
      sequence integer PRIMARY KEY,
      at text NOT NULL,
      actor text NOT NULL,
      actor_id text,
      action text NOT NULL,
      outcome text NOT NULL,
      organization_id integer,
      task_id integer,
      subject text,
      request_id text,
      ip text,
      hash text NOT NULL
    )`,
    'CREATE INDEX audit_of_task ON audit (task_id, sequence)',
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
