/**
 * The keys of the store itself. They are made with it and lie in it sealed; a later change of the master key leaves them as
 * they are. To open them proves the master key: it fails with a sentence under another one than the store was written with.
 */
import { randomBytes } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import { type AuditChain, auditChain, type Head } from '../audit/audit-chain.ts'
import { CHAIN_LOCK, headOf } from '../audit/audit-log.ts'
import type { StoreContext } from '../context.ts'
import { type RowMacs, rowMacs } from '../rows/row-macs.ts'
import { authenticateAll } from '../rows/write-rows.ts'
import { bindings } from '../sealing/bindings.ts'
import type { Cipher } from '../sealing/cipher.ts'
import type { Schema } from '../sql/schema.ts'

export interface StoreKeys {
  /** The key of the keyed digests that rows are found by. */
  index: Buffer
  chain: AuditChain
  rows: RowMacs
}

/** The keys as they are encrypted. A store from before the audit log had a key holds the key of the indexes alone, as a text. */
interface Kept {
  index: string
  audit: string
  keyedAfter: Head
  /**
   * Since when rows are authenticated. Not there in a store from before that: its rows are authenticated when it is opened, and
   * never again, so that no one without the master key makes changed rows genuine by going back to an older schema.
   */
  rows?: 'from the start' | 'since an upgrade'
}

export async function storeKeys({
  db,
  cipher,
  locksRows,
  patiently,
}: Pick<StoreContext, 'db' | 'cipher' | 'locksRows' | 'patiently'>) {
  const find = async (on: Kysely<Schema>): Promise<Kept | string | null> => {
    const row = await on.selectFrom('keepsake').select('sealed').where('name', '=', NAME).executeTakeFirst()
    return row ? (JSON.parse(cipher.open(row.sealed, bindings.keepsake(NAME)).toString('utf8')) as Kept | string) : null
  }
  const found = await find(db)
  const isCurrent = (kept: Kept | string | null): kept is Kept =>
    kept !== null && typeof kept !== 'string' && kept.rows !== undefined
  if (isCurrent(found)) return read(found, cipher)
  const make = async (inside: Transaction<Schema>) => {
    // No one continues the log, and no one else makes the keys, while it is seen where the log ends.
    if (locksRows) await sql`SELECT pg_advisory_xact_lock(${CHAIN_LOCK})`.execute(inside)
    const now = await find(inside)
    if (isCurrent(now)) return read(now, cipher)
    const head = await headOf(inside)
    if (now === null && head.sequence > 0) throw new Error(MISSING)
    const kept: Kept = {
      ...(now !== null && typeof now !== 'string'
        ? now
        : { index: now ?? newKey(), audit: newKey(), keyedAfter: head }),
      rows: now === null ? 'from the start' : 'since an upgrade',
    }
    const keys = read(kept, cipher)
    // A new store has no rows; if it has, they were not written with the master key.
    if (now !== null) await authenticateAll(inside, keys.rows)
    const sealed = cipher.seal(JSON.stringify(kept), bindings.keepsake(NAME))
    // The store knows no clock, and no one asks how old these keys are.
    await inside
      .insertInto('keepsake')
      .values({ name: NAME, sealed, createdAt: new Date(0).toISOString() })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ sealed }))
      .execute()
    return keys
  }
  return patiently(() => db.transaction().execute(make))
}

const read = ({ index, audit, keyedAfter, rows }: Kept, cipher: Cipher): StoreKeys => ({
  index: Buffer.from(index, 'base64'),
  chain: auditChain(Buffer.from(audit, 'base64'), keyedAfter),
  rows: rowMacs(Buffer.from(audit, 'base64'), cipher, rows === 'from the start'),
})

const newKey = () => randomBytes(32).toString('base64')
/** The name from when there was only the first of them. */
const NAME = 'index key'
/** New keys would hide that the log was rewritten. */
const MISSING =
  'The store has an audit log, but the keys that belong to it are missing. Somebody removed them: restore the store from a backup.'
