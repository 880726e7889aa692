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
      .selectFrom('operator_key')
      .select([
        'key_id as keyId',
        'organization_id as organizationId',
        'mode',
        'digest',
        'last4',
        'description',
        'created_at as createdAt',
        'expires_at as expiresAt',
        'revoked_at as revokedAt',
        'last_used_at as lastUsedAt',
      ])

  return {
    insert: (key: Omit<StoredOperatorKey, 'revokedAt' | 'lastUsedAt'>, by: Actor): Promise<void> =>
      inTransaction(context, async (inside) => {
        const { keyId, organizationId, createdAt, expiresAt, ...kept } = key
        const row = { ...kept, key_id: keyId, organization_id: organizationId, created_at: createdAt }
        await inside.db
          .insertInto('operator_key')
          .values({ ...row, expires_at: expiresAt, revoked_at: null, last_used_at: null })
          .execute()
        inside.audit({ action: 'operator-key.issue', by, at: new Date(createdAt), organizationId, subject: keyId })
      }),

    find: (keyId: string): Promise<StoredOperatorKey | undefined> =>
      all().where('key_id', '=', keyId).executeTakeFirst(),

    list: (): Promise<StoredOperatorKey[]> => all().orderBy('created_at').execute(),

    /** False when there is no such key, or when it is revoked already. */
    revoke: (keyId: string, at: Date, by: Actor): Promise<boolean> =>
      inTransaction(context, async (inside) => {
        const revoked = await inside.db
          .updateTable('operator_key')
          .set({ revoked_at: at.toISOString() })
          .where('key_id', '=', keyId)
          .where('revoked_at', 'is', null)
          .returning('organization_id as organizationId')
          .executeTakeFirst()
        if (!revoked) return false
        const { organizationId } = revoked
        inside.audit({ action: 'operator-key.revoke', by, at, organizationId, subject: keyId })
        return true
      }),

    async used(keyId: string, at: Date): Promise<void> {
      await db.updateTable('operator_key').set({ last_used_at: at.toISOString() }).where('key_id', '=', keyId).execute()
    },
  }
}
