/** Secrets of the service itself that are made once and kept, such as the key that seals documents. */
import { inTransaction, type StoreContext } from '../context.ts'
import { bindings } from '../sealing/bindings.ts'
import { openJson, sealJson } from '../sealing/sealed-json.ts'

/** Returns the value kept under the name, or null. */
export async function kept<T>(context: StoreContext, name: string): Promise<T | null> {
  const row = await context.db.selectFrom('keepsake').select('sealed').where('name', '=', name).executeTakeFirst()
  return row ? openJson<T>(context, row.sealed, bindings.keepsake(name)) : null
}

/**
 * Returns the value kept under the name, or the result of `make`. Two processes that start at once end up with the same value.
 */
export async function keepsake<T>(context: StoreContext, name: string, at: Date, make: () => Promise<T>): Promise<T> {
  const known = await kept<T>(context, name)
  if (known !== null) return known
  const made = await make()
  const sealed = sealJson(context, made, bindings.keepsake(name))
  return inTransaction(context, async (inside) => {
    await inside.db
      .insertInto('keepsake')
      .values({ name, sealed, createdAt: at.toISOString() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return (await kept<T>(inside, name)) ?? made
  })
}

/** Keeps a value under the name, instead of the one before. */
export async function keepAnew(context: StoreContext, name: string, at: Date, value: unknown): Promise<void> {
  const sealed = sealJson(context, value, bindings.keepsake(name))
  await context.db
    .insertInto('keepsake')
    .values({ name, sealed, createdAt: at.toISOString() })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ sealed }))
    .execute()
}
