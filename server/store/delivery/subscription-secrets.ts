/** Gives a subscription another secret. Both are valid until a chosen time. choice: Another secret */
import type { Actor } from '../../domain/audit.ts'
import { inTransaction, type StoreContext, type TransactionContext } from '../context.ts'
import { changeRows } from '../rows/write-rows.ts'
import type { StoredRow } from '../sql/authenticated-tables.ts'
import { openSecrets, sealNextSecret, sealSecret } from './subscription-row.ts'

interface Owned {
  organizationId: number
  id: number
}

export interface Replacing extends Owned {
  by: Actor
  at: Date
}

/**
 * Adds the secret, 32 bytes, which alone is valid from `until` on. False where another one was added whose time has not come, or where
 * there is no such subscription.
 */
export const addSecret = (
  context: StoreContext,
  { organizationId, id, by, at }: Replacing,
  secret: Uint8Array,
  until: Date,
): Promise<boolean> =>
  inTransaction(context, async (inside) => {
    const [row] = await changeRows(
      inside,
      'subscription',
      (rows) =>
        rows
          .where('id', '=', id)
          .where('organizationId', '=', organizationId)
          .where('deletedAt', 'is', null)
          .where((where) =>
            where.or([where('nextSecretAt', 'is', null), where('nextSecretAt', '<=', at.toISOString())]),
          ),
      (stored) => ({
        ...current(inside, stored, at),
        sealedNextSecret: sealNextSecret(inside, { organizationId, id }, secret),
        nextSecretAt: until.toISOString(),
        updatedAt: at.toISOString(),
      }),
    )
    if (!row) return false
    inside.audit({ action: 'subscription.rotate', by, at, organizationId, subject: id })
    return true
  })

/** Ends the time in which both are valid: the newer secret alone is from now on. False where there is one secret only. */
export const useNewSecret = (context: StoreContext, { organizationId, id, by, at }: Replacing): Promise<boolean> =>
  inTransaction(context, async (inside) => {
    const [row] = await changeRows(
      inside,
      'subscription',
      (rows) =>
        rows
          .where('id', '=', id)
          .where('organizationId', '=', organizationId)
          .where('deletedAt', 'is', null)
          .where('nextSecretAt', '>', at.toISOString()),
      (stored) => ({
        ...current(inside, { ...stored, nextSecretAt: at.toISOString() }, at),
        sealedNextSecret: null,
        nextSecretAt: null,
        updatedAt: at.toISOString(),
      }),
    )
    if (!row) return false
    inside.audit({ action: 'subscription.rotate', by, at, organizationId, subject: id })
    return true
  })

/** The secret that signs our own header at that time. */
const current = (inside: TransactionContext, row: StoredRow<'subscription'>, at: Date) => ({
  sealedSecret: sealSecret(inside, row, openSecrets(inside, row, at)[0]),
})
