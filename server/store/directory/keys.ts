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
      .selectFrom('apiKey')
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
    insert: (key: Omit<StoredKey, 'revokedAt' | 'lastUsedAt'>, by: Actor = SERVICE): Promise<void> =>
      inTransaction(context, async (inside) => {
        await inside.db
          .insertInto('apiKey')
          .values({
            keyId: key.keyId,
            organizationId: key.organizationId,
            mode: key.mode,
            digest: key.digest,
            last4: key.last4,
            description: key.description,
            createdAt: key.createdAt,
            expiresAt: key.expiresAt,
            revokedAt: null,
            lastUsedAt: null,
          })
          .execute()
        const { organizationId, keyId, createdAt } = key
        inside.audit({ action: 'key.issue', by, at: new Date(createdAt), organizationId, subject: keyId })
      }),

    find: (keyId: string): Promise<StoredKey | undefined> => all().where('keyId', '=', keyId).executeTakeFirst(),

    list: (): Promise<StoredKey[]> => all().orderBy('organizationId').orderBy('createdAt').execute(),

    /** False when there is no such key, or when it is revoked already. */
    revoke: (keyId: string, at: Date, by: Actor = OPERATOR): Promise<boolean> =>
      inTransaction(context, async (inside) => {
        const revoked = await inside.db
          .updateTable('apiKey')
          .set({ revokedAt: at.toISOString() })
          .where('keyId', '=', keyId)
          .where('revokedAt', 'is', null)
          .returning('organizationId')
          .executeTakeFirst()
        if (!revoked) return false
        inside.audit({ action: 'key.revoke', by, at, organizationId: revoked.organizationId, subject: keyId })
        return true
      }),

    async used(keyId: string, at: Date): Promise<void> {
      await db.updateTable('apiKey').set({ lastUsedAt: at.toISOString() }).where('keyId', '=', keyId).execute()
    },
  }
}
