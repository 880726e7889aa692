/** API keys. Only their digests are kept: a key is shown once, when it is made. */
import { type Actor, OPERATOR, SERVICE } from '../../domain/audit.ts'
import { inTransaction, type StoreContext } from '../sql/context.ts'

export interface StoredKey {
  keyId: string
  organizationId: number
  mode: 'test' | 'live'
  /** SHA-256 of the whole key, hexadecimal. */
  digest: string
  last4: string
  description: string
  createdAt: string
  expiresAt: string | null
  revokedAt: string | null
  lastUsedAt: string | null
}

export function keys(context: StoreContext) {
  const { db } = context
  const all = () =>
    db
      .selectFrom('api_key')
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
    insert: (key: Omit<StoredKey, 'revokedAt' | 'lastUsedAt'>, by: Actor = SERVICE): Promise<void> =>
      inTransaction(context, async (inside) => {
        await inside.db
          .insertInto('api_key')
          .values({
            key_id: key.keyId,
            organization_id: key.organizationId,
            mode: key.mode,
            digest: key.digest,
            last4: key.last4,
            description: key.description,
            created_at: key.createdAt,
            expires_at: key.expiresAt,
            revoked_at: null,
            last_used_at: null,
          })
          .execute()
        const { organizationId, keyId, createdAt } = key
        inside.audit({ action: 'key.issue', by, at: new Date(createdAt), organizationId, subject: keyId })
      }),

    find: (keyId: string): Promise<StoredKey | undefined> => all().where('key_id', '=', keyId).executeTakeFirst(),

    list: (): Promise<StoredKey[]> => all().orderBy('organization_id').orderBy('created_at').execute(),

    /** False when there is no such key, or when it is revoked already. */
    revoke: (keyId: string, at: Date, by: Actor = OPERATOR): Promise<boolean> =>
      inTransaction(context, async (inside) => {
        const revoked = await inside.db
          .updateTable('api_key')
          .set({ revoked_at: at.toISOString() })
          .where('key_id', '=', keyId)
          .where('revoked_at', 'is', null)
          .returning('organization_id')
          .executeTakeFirst()
        if (!revoked) return false
        inside.audit({ action: 'key.revoke', by, at, organizationId: revoked.organization_id, subject: keyId })
        return true
      }),

    async used(keyId: string, at: Date): Promise<void> {
      await db.updateTable('api_key').set({ last_used_at: at.toISOString() }).where('key_id', '=', keyId).execute()
    },
  }
}
