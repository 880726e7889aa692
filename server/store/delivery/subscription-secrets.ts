/** Gives a subscription another secret. Both are valid until a chosen time. choice: Another secret */
import type { Expression, ExpressionBuilder, SqlBool, Updateable } from 'kysely'
import type { Actor } from '../../domain/audit.ts'
import { inTransaction, type StoreContext, type TransactionContext } from '../context.ts'
import { changeRows } from '../rows/write-rows.ts'
import type { StoredRow } from '../sql/authenticated-tables.ts'
import type { Schema } from '../sql/schema.ts'
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
  replacing: Replacing,
  secret: Uint8Array,
  until: Date,
): Promise<boolean> =>
  replace(context, replacing, {
    where: (row, now) => row.or([row('nextSecretAt', 'is', null), row('nextSecretAt', '<=', now)]),
    change: (inside, stored) => ({
      ...current(inside, stored, replacing.at),
      sealedNextSecret: sealNextSecret(inside, replacing, secret),
      nextSecretAt: until.toISOString(),
    }),
  })

/** Ends the time in which both are valid: the newer secret alone is from now on. False where there is one secret only. */
export const useNewSecret = (context: StoreContext, replacing: Replacing): Promise<boolean> =>
  replace(context, replacing, {
    where: (row, now) => row('nextSecretAt', '>', now),
    change: (inside, stored) => ({
      ...current(inside, { ...stored, nextSecretAt: replacing.at.toISOString() }, replacing.at),
      sealedNextSecret: null,
      nextSecretAt: null,
    }),
  })

interface Replacement {
  where: (row: ExpressionBuilder<Schema, 'subscription'>, now: string) => Expression<SqlBool>
  change: (inside: TransactionContext, stored: StoredRow<'subscription'>) => Updateable<Schema['subscription']>
}

const replace = (context: StoreContext, { organizationId, id, by, at }: Replacing, { where, change }: Replacement) =>
  inTransaction(context, async (inside) => {
    const now = at.toISOString()
    const [row] = await changeRows(
      inside,
      'subscription',
      (rows) =>
        rows
          .where('id', '=', id)
          .where('organizationId', '=', organizationId)
          .where('deletedAt', 'is', null)
          .where((one) => where(one, now)),
      (stored) => ({ ...change(inside, stored), updatedAt: now }),
    )
    if (!row) return false
    inside.audit({ action: 'subscription.rotate', by, at, organizationId, subject: id })
    return true
  })

/** The secret that signs our own header at that time. */
const current = (inside: TransactionContext, row: StoredRow<'subscription'>, at: Date) => ({
  sealedSecret: sealSecret(inside, row, openSecrets(inside, row, at)[0]),
})
