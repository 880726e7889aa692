/** API keys of senders. */
import type { Actor } from '../../domain/audit.ts'
import { inTransaction, type StoreContext } from '../context.ts'
import { addNewRow, changeRows } from '../rows/write-rows.ts'
import type { Schema } from '../sql/schema.ts'
import { keyTable } from './key-table.ts'

export type StoredKey = Schema['apiKey']

/** The values of a new key that do not come from the key that it replaces. */
export type ReplacingKey = Pick<StoredKey, 'keyId' | 'mode' | 'digest' | 'last4' | 'createdAt' | 'expiresAt'>

export const keys = (context: StoreContext) => ({
  ...keyTable<StoredKey>(context, {
    table: 'apiKey',
    issued: 'key.issue',
    revoked: 'key.revoke',
    order: ['organizationId', 'createdAt'],
  }),

  /**
   * Adds a key for the same person and purpose, and has the old one end at a time, or earlier where it would anyway. False when there is no
   * such key, or when it lets no one in any more.
   */
  replace: (keyId: string, next: ReplacingKey, endsAt: Date, by: Actor): Promise<boolean> =>
    inTransaction(context, async (inside) => {
      const at = next.createdAt
      const end = endsAt.toISOString()
      const [old] = await changeRows(
        inside,
        'apiKey',
        (rows) =>
          rows
            .where('keyId', '=', keyId)
            .where('revokedAt', 'is', null)
            .where((where) => where.or([where('expiresAt', 'is', null), where('expiresAt', '>', at)])),
        ({ expiresAt }) => ({ expiresAt: expiresAt !== null && expiresAt < end ? expiresAt : end }),
      )
      if (!old) return false
      const { organizationId, personName, description } = old
      await addNewRow(inside, 'apiKey', {
        ...next,
        organizationId,
        personName,
        description,
        revokedAt: null,
        lastUsedAt: null,
      })
      inside.audit({ action: 'key.rotate', by, at: new Date(at), organizationId, subject: keyId })
      inside.audit({ action: 'key.issue', by, at: new Date(at), organizationId, subject: next.keyId })
      return true
    }),
})
