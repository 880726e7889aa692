/** Keys as they are kept, senders' and the operator's alike: only their digests, because a key is shown once, when it is made. */
import type { Selectable } from 'kysely'
import { type Actor, type AuditAction, OPERATOR, SERVICE } from '../../domain/audit.ts'
import { inTransaction, type StoreContext } from '../context.ts'
import { genuine, joined, whole } from '../rows/row-macs.ts'
import { addNewRow, changeRows } from '../rows/write-rows.ts'
import type { Flag } from '../sql/flag.ts'
import type { Schema } from '../sql/schema.ts'

interface KeyTable<Key> {
  table: 'apiKey' | 'operatorKey'
  issued: AuditAction
  revoked: AuditAction
  /** The columns that a list is sorted by. */
  order: readonly (keyof Key & ('organizationId' | 'createdAt'))[]
}

/** A key with what else decides whether it lets someone in. */
export type FoundKey<Key> = Key & {
  /** Null for a key that reaches all organizations. */
  organizationIsActive: Flag | null
}

export function keyTable<Key extends Omit<Selectable<Schema['operatorKey']>, 'scopes'>>(
  context: StoreContext,
  { table, issued, revoked, order }: KeyTable<Key>,
) {
  const { db } = context
  // Every table of keys has the columns of this one.
  const all = () => db.selectFrom(`${table as 'operatorKey'} as k`).selectAll('k')

  return {
    insert: (key: Omit<Key, 'revokedAt' | 'lastUsedAt' | 'mac'>, by: Actor = SERVICE): Promise<void> =>
      inTransaction(context, async (inside) => {
        const { keyId, organizationId, createdAt } = key
        await addNewRow(inside, table, { ...key, revokedAt: null, lastUsedAt: null } as unknown as Schema['apiKey'])
        inside.audit({ action: issued, by, at: new Date(createdAt), organizationId, subject: keyId })
      }),

    /** Undefined also where the key, or its organization, was changed without the master key. */
    async find(keyId: string): Promise<FoundKey<Key> | undefined> {
      const row = await all()
        .leftJoin('organization as o', 'o.id', 'k.organizationId')
        .select(whole('organization', 'o'))
        .where('k.keyId', '=', keyId)
        .executeTakeFirst()
      const key = genuine(context, table, row)
      if (!row || !key) return undefined
      const organization = joined(context, 'organization', row)
      if (key.organizationId !== null && !organization) return undefined
      return { ...(key as unknown as Key), organizationIsActive: organization?.isActive ?? null }
    },

    /** The organizations of those of these keys that would be let in now, by the id of the key. */
    async openFor(keyIds: readonly string[], at: Date): Promise<Map<string, number | null>> {
      const rows = await all()
        .leftJoin('organization as o', 'o.id', 'k.organizationId')
        .select(whole('organization', 'o'))
        .where('k.keyId', 'in', keyIds)
        .where('k.revokedAt', 'is', null)
        .where((where) => where.or([where('k.expiresAt', 'is', null), where('k.expiresAt', '>', at.toISOString())]))
        .where((where) => where.or([where('k.organizationId', 'is', null), where('o.isActive', '=', 1)]))
        .execute()
      const open = rows.filter(
        (row) =>
          genuine(context, table, row) &&
          (row.organizationId === null || joined(context, 'organization', row) !== null),
      )
      return new Map(open.map(({ keyId, organizationId }) => [keyId, organizationId]))
    },

    list: (): Promise<Key[]> =>
      order.reduce((rows, column) => rows.orderBy(`k.${column}`), all().$castTo<Key>()).execute(),

    /** False when there is no such key, or when it is revoked already. */
    revoke: (keyId: string, at: Date, by: Actor = OPERATOR): Promise<boolean> =>
      inTransaction(context, async (inside) => {
        const [key] = await changeRows(
          inside,
          table as 'operatorKey',
          (rows) => rows.where('keyId', '=', keyId).where('revokedAt', 'is', null),
          { revokedAt: at.toISOString() },
        )
        if (!key) return false
        inside.audit({ action: revoked, by, at, organizationId: key.organizationId, subject: keyId })
        return true
      }),

    /** Writes when the key was used last. */
    async used(keyId: string, at: Date): Promise<void> {
      await db.updateTable(table).set({ lastUsedAt: at.toISOString() }).where('keyId', '=', keyId).execute()
    },
  }
}
