/** API keys. Only their digests are kept: a key is shown once, when it is made. */
import type { StoreContext } from './context.ts'

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

export function keys({ db }: StoreContext) {
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
    async insert(key: Omit<StoredKey, 'revokedAt' | 'lastUsedAt'>): Promise<void> {
      await db
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
    },

    find: (keyId: string): Promise<StoredKey | undefined> => all().where('key_id', '=', keyId).executeTakeFirst(),

    list: (): Promise<StoredKey[]> => all().orderBy('organization_id').orderBy('created_at').execute(),

    /** False when there is no such key, or when it is revoked already. */
    async revoke(keyId: string, at: Date): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('api_key')
        .set({ revoked_at: at.toISOString() })
        .where('key_id', '=', keyId)
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async used(keyId: string, at: Date): Promise<void> {
      await db.updateTable('api_key').set({ last_used_at: at.toISOString() }).where('key_id', '=', keyId).execute()
    },
  }
}
