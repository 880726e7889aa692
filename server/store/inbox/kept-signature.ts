/** The signature that a signer drew and chose to keep for the next time. Sealed. */
import type { StoreContext } from '../context.ts'
import { bindings } from '../sealing/bindings.ts'

export function keptSignature({ db, cipher }: StoreContext, npi: string) {
  const binding = bindings.signature(npi)
  return {
    /** The kept signature as PNG, or null. */
    async signature(): Promise<Buffer | null> {
      const row = await db.selectFrom('savedSignature').select('sealed').where('npi', '=', npi).executeTakeFirst()
      return row ? cipher.open(row.sealed, binding) : null
    },

    /** Takes the place of the one before. */
    async keepSignature(png: Uint8Array, at: Date): Promise<void> {
      const kept = { sealed: cipher.seal(png, binding), updatedAt: at.toISOString() }
      await db
        .insertInto('savedSignature')
        .values({ npi, ...kept })
        .onConflict((conflict) => conflict.column('npi').doUpdateSet(kept))
        .execute()
    },

    async forgetSignature(): Promise<void> {
      await db.deleteFrom('savedSignature').where('npi', '=', npi).execute()
    },
  }
}
