/**
 * The keys of the store itself. They are made with it and lie in it sealed; a later change of the master key leaves them as
 * they are. To open them proves the master key: it fails with a sentence under another one than the store was written with.
 */
import { randomBytes } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import { type AuditChain, auditChain } from '../audit/audit-chain.ts'
import { CHAIN_LOCK, headOf } from '../audit/audit-log.ts'
import type { StoreContext } from '../context.ts'
import { type RowMacs, rowMacs } from '../rows/row-macs.ts'
import { bindings } from '../sealing/bindings.ts'
import type { Schema } from '../sql/schema.ts'

export interface StoreKeys {
  /** The key of the keyed digests that rows are found by. */
  index: Buffer
  chain: AuditChain
  rows: RowMacs
}

/** The keys as they are encrypted, in Base64. */
interface Kept {
  index: string
  audit: string
}

export async function storeKeys({
  db,
  cipher,
  locksRows,
  patiently,
}: Pick<StoreContext, 'db' | 'cipher' | 'locksRows' | 'patiently'>): Promise<StoreKeys> {
  const find = async (on: Kysely<Schema>): Promise<Kept | null> => {
    const row = await on.selectFrom('keepsake').select('sealed').where('name', '=', NAME).executeTakeFirst()
    return row ? JSON.parse(cipher.open(row.sealed, bindings.keepsake(NAME)).toString('utf8')) : null
  }
  const make = async (inside: Transaction<Schema>) => {
    // No one continues the log, and no one else makes the keys, while it is seen whether there is one.
    if (locksRows) await sql`SELECT pg_advisory_xact_lock(${CHAIN_LOCK})`.execute(inside)
    const now = await find(inside)
    if (now) return now
    if ((await headOf(inside)).sequence > 0) throw new Error(MISSING)
    const kept = { index: newKey(), audit: newKey() }
    const sealed = cipher.seal(JSON.stringify(kept), bindings.keepsake(NAME))
    // The store knows no clock, and no one asks how old these keys are.
    await inside
      .insertInto('keepsake')
      .values({ name: NAME, sealed, createdAt: new Date(0).toISOString() })
      .execute()
    return kept
  }
  const { index, audit } = (await find(db)) ?? (await patiently(() => db.transaction().execute(make)))
  return {
    index: Buffer.from(index, 'base64'),
    chain: auditChain(Buffer.from(audit, 'base64')),
    rows: rowMacs(Buffer.from(audit, 'base64'), cipher),
  }
}

const newKey = () => randomBytes(32).toString('base64')
const NAME = 'store keys'
/** New keys would hide that the log was rewritten. */
const MISSING =
  'The store has an audit log, but the keys that belong to it are missing. Somebody removed them: restore the store from a backup.'
