/**
 * Whether a store is a sandbox's or a production service's. A test key must never complete a task of production, so a store is
 * one of them permanently. It is kept sealed: no one makes it the other without the master key. choice: Kinds of stores
 */
import type { StoreContext } from '../context.ts'
import { bindings } from '../sealing/bindings.ts'

export type StoreKind = 'sandbox' | 'production'

type Parts = Pick<StoreContext, 'db' | 'cipher'>

/**
 * Returns the kind of the store. A store that has none yet gets one permanently. Throws with a sentence for the operator when the
 * store is not of the kind that is `wanted`. Is called once the master key has proven itself.
 */
export async function storeKind(parts: Parts, wanted: StoreKind | undefined): Promise<StoreKind> {
  const kind = (await keptKind(parts)) ?? (await decideKind(parts, wanted))
  if (wanted !== undefined && kind !== wanted) throw new Error(NOT_WANTED[wanted])
  return kind
}

const NOT_WANTED: Readonly<Record<StoreKind, string>> = {
  sandbox:
    '--data holds a production store, whose tasks test keys could complete: leave out --sandbox, or give --data another place for the sandbox.',
  production: '--data holds the store of a sandbox: start with --sandbox, or give --data another place for production.',
}

async function keptKind({ db, cipher }: Parts): Promise<StoreKind | null> {
  const row = await db.selectFrom('keepsake').select('sealed').where('name', '=', NAME).executeTakeFirst()
  return row ? (JSON.parse(cipher.open(row.sealed, bindings.keepsake(NAME)).toString('utf8')) as StoreKind) : null
}

/** Decides the kind of a store. Of several processes that decide at once, the first one does. */
async function decideKind(parts: Parts, kind: StoreKind = 'production'): Promise<StoreKind> {
  const { db, cipher } = parts
  const sealed = cipher.seal(JSON.stringify(kind), bindings.keepsake(NAME))
  await db
    .insertInto('keepsake')
    // The store knows no clock, and no one asks how old this is.
    .values({ name: NAME, sealed, createdAt: new Date(0).toISOString() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await keptKind(parts)) ?? kind
}

const NAME = 'store kind'
