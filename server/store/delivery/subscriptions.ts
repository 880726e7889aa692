/** Webhook subscriptions of one sender. All but their state is sealed; the secret is handed out once, when one is made. */
import { sql } from 'kysely'
import type { Subscription } from '../../../lib/contract/subscription.ts'
import { MAX_SUBSCRIPTIONS } from '../../choices.ts'
import type { Actor } from '../../domain/audit.ts'
import { Refusal } from '../../domain/refusal.ts'
import { bindings } from '../sealing/bindings.ts'
import { flag, inTransaction, type StoreContext } from '../sql/context.ts'

export function subscriptions(context: StoreContext, organizationId: number, by: Actor) {
  const { db, cipher } = context
  const columns = ['id', 'sealed_url', 'sealed_description', 'is_active', 'created_at', 'updated_at'] as const
  const mine = () =>
    db
      .selectFrom('subscription')
      .select(columns)
      .where('organization_id', '=', organizationId)
      .where('deleted_at', 'is', null)
  type Row = Awaited<ReturnType<ReturnType<typeof mine>['execute']>>[number]
  const read = (row: Row): Subscription => ({
    id: row.id,
    url: cipher.open(row.sealed_url, bindings.subscriptionUrl(organizationId, row.id)).toString('utf8'),
    description:
      row.sealed_description &&
      cipher.open(row.sealed_description, bindings.subscriptionDescription(organizationId, row.id)).toString('utf8'),
    isActive: row.is_active === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  })

  return {
    /** `secret` is the 32 bytes themselves. Refuses where the organization has as many as it may. */
    create: (url: string, description: string | null, secret: Uint8Array, at: Date): Promise<number> =>
      inTransaction(context, async (inside) => {
        await mustHaveRoom(inside, organizationId)
        const { id } = await inside.db
          .insertInto('subscription')
          .values({
            organization_id: organizationId,
            sealed_url: new Uint8Array(),
            sealed_description: null,
            sealed_secret: new Uint8Array(),
            is_active: 1,
            created_at: at.toISOString(),
            updated_at: at.toISOString(),
            deleted_at: null,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        // What a value is bound to has the id in it.
        await inside.db
          .updateTable('subscription')
          .set({
            sealed_url: cipher.seal(url, bindings.subscriptionUrl(organizationId, id)),
            sealed_description:
              description === null
                ? null
                : cipher.seal(description, bindings.subscriptionDescription(organizationId, id)),
            sealed_secret: cipher.seal(secret, bindings.subscriptionSecret(organizationId, id)),
          })
          .where('id', '=', id)
          .execute()
        inside.audit({ action: 'subscription.create', by, at, organizationId, subject: id })
        return id
      }),

    async list(): Promise<Subscription[]> {
      return (await mine().orderBy('id').execute()).map(read)
    },

    /** Null when there is no such subscription of this organization. What is queued for a deactivated one waits no longer. */
    update: (id: number, changes: { active?: boolean | undefined; url?: string | undefined }, at: Date) =>
      inTransaction(context, async (inside): Promise<Subscription | null> => {
        const row = await inside.db
          .updateTable('subscription')
          .set({
            ...(changes.active !== undefined && { is_active: flag(changes.active) }),
            ...(changes.url !== undefined && {
              sealed_url: cipher.seal(changes.url, bindings.subscriptionUrl(organizationId, id)),
            }),
            updated_at: at.toISOString(),
          })
          .where('id', '=', id)
          .where('organization_id', '=', organizationId)
          .where('deleted_at', 'is', null)
          .returning(columns)
          .executeTakeFirst()
        if (!row) return null
        // When it is activated again, nothing may be left that an event of the same moment queued behind the deactivation.
        if (changes.active !== undefined) await cancelQueued(inside, id, at)
        inside.audit({ action: 'subscription.update', by, at, organizationId, subject: id })
        return read(row)
      }),

    /** Soft: the row stays for the delivery log. False when there is no such subscription of this organization. */
    remove: (id: number, at: Date): Promise<boolean> =>
      inTransaction(context, async (inside) => {
        const { numUpdatedRows } = await inside.db
          .updateTable('subscription')
          .set({ deleted_at: at.toISOString(), is_active: 0, updated_at: at.toISOString() })
          .where('id', '=', id)
          .where('organization_id', '=', organizationId)
          .where('deleted_at', 'is', null)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) return false
        await cancelQueued(inside, id, at)
        inside.audit({ action: 'subscription.delete', by, at, organizationId, subject: id })
        return true
      }),
  }
}

/** Two creates at the same moment on PostgreSQL may pass together; one more does no harm. */
async function mustHaveRoom({ db }: StoreContext, organizationId: number): Promise<void> {
  const { count } = await db
    .selectFrom('subscription')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MAX_SUBSCRIPTIONS)
    throw new Refusal('invalid', `An organization has up to ${MAX_SUBSCRIPTIONS} subscriptions; delete one first.`)
}

/** Ends what waits for a subscription that may receive no more. spec: Endpoints › Webhook subscriptions */
export async function cancelQueued({ db }: StoreContext, subscriptionId: number, at: Date): Promise<void> {
  await db
    .updateTable('delivery')
    .set({ state: 'cancelled', updated_at: at.toISOString() })
    .where('subscription_id', '=', subscriptionId)
    .where('state', '=', sql.lit('waiting'))
    .execute()
}
