/**
 * Rows that decide who may do what carry a MAC, and the audit log the MACs of what a transaction wrote. Rows that are there already
 * are authenticated when the store opens, once: see `keepsakes/store-keys.ts`.
 */
import { type Kysely, sql } from 'kysely'

const TABLES = [
  'organization',
  'api_key',
  'operator_key',
  'provider',
  'provider_organization',
  'person',
  'identity',
  'second_factor',
  'session',
  'sign_in_step',
  'second_factor_offer',
  'sign_on_attempt',
  'delegation',
  'subscription',
]

export async function authenticatedRows(db: Kysely<never>): Promise<void> {
  for (const table of TABLES) await sql.raw(`ALTER TABLE ${table} ADD COLUMN mac text NOT NULL DEFAULT ''`).execute(db)
  await sql.raw('ALTER TABLE audit ADD COLUMN written text').execute(db)
}
