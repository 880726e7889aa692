/** Keys of the operator's interface. Only their digests are kept: a key is shown once, when it is made. */
import type { Actor } from '../../domain/audit.ts'
import { inTransaction, type StoreContext } from '../sql/context.ts'
import type { StoredKey } from './keys.ts'

export interface StoredOperatorKey extends Omit<StoredKey, 'organizationId'> {
  /** Whose administrator the key stands for; null for an operator. */
  organizationId: number | null
}

export function operatorKeys(context: StoreContext) {
  const { db } = context
  const all = () =>
    db
      .selectFrom('operatorKey')
      .select([
        'keyId',
        'organizationId',
        'mode',
        'digest',
        'last4',
        'description',
        'createdAt',
        'expiresAt',
        'revokedAt',
        'lastUsedAt',
      ])

  return {
    insert: (key: Omit<StoredOperatorKey, 'revokedAt' | 'lastUsedAt'>, by: Actor): Promise<void> =>
      inTransaction(context, async (inside) => {
        const { keyId, organizationId, createdAt, expiresAt, ...kept } = key
        const row = { ...kept, keyId: keyId, organizationId: organizationId, createdAt: createdAt }
        await inside.db
          .insertInto('operatorKey')
          .values({ ...row, expiresAt: expiresAt, revokedAt: null, lastUsedAt: null })
          .execute()
        inside.audit({ action: 'operator-key.issue', by, at: new Date(createdAt), organizationId, subject: keyId })
      }),

    find: (keyId: string): Promise<StoredOperatorKey | undefined> =>
      all().where('keyId', '=', keyId).executeTakeFirst(),

    list: (): Promise<StoredOperatorKey[]> => all().orderBy('createdAt').execute(),

    /** False when there is no such key, or when it is revoked already. */
    revoke: (keyId: string, at: Date, by: Actor): Promise<boolean> =>
      inTransaction(context, async (inside) => {
        const revoked = await inside.db
          .updateTable('operatorKey')
          .set({ revokedAt: at.toISOString() })
          .where('keyId', '=', keyId)
          .where('revokedAt', 'is', null)
          .returning('organizationId')
          .executeTakeFirst()
        if (!revoked) return false
        const { organizationId } = revoked
        inside.audit({ action: 'operator-key.revoke', by, at, organizationId, subject: keyId })
        return true
      }),

    async used(keyId: string, at: Date): Promise<void> {
      await db.updateTable('operatorKey').set({ lastUsedAt: at.toISOString() }).where('keyId', '=', keyId).execute()
    },
  }
}
