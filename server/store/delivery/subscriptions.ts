/** Webhook subscriptions of one sender. All but their state is sealed; the secret is handed out once, when one is made. */
import { sql } from 'kysely'
import type { Subscription } from '../../../lib/contract/subscription.ts'
import { MAX_SUBSCRIPTIONS } from '../../choices.ts'
import type { Actor } from '../../domain/audit.ts'
import { Refusal } from '../../domain/refusal.ts'
import { inTransaction, type StoreContext } from '../context.ts'
import { bindings } from '../sealing/bindings.ts'
import { flag } from '../sql/flag.ts'

export function subscriptions(context: StoreContext, organizationId: number, by: Actor) {
  const { db, cipher } = context
  const columns = ['id', 'sealedUrl', 'sealedDescription', 'isActive', 'createdAt', 'updatedAt'] as const
  const mine = () =>
    db
      .selectFrom('subscription')
      .select(columns)
      .where('organizationId', '=', organizationId)
      .where('deletedAt', 'is', null)
  type Row = Awaited<ReturnType<ReturnType<typeof mine>['execute']>>[number]
  const read = (row: Row): Subscription => ({
    id: row.id,
    url: cipher.open(row.sealedUrl, bindings.subscriptionUrl(organizationId, row.id)).toString('utf8'),
    description:
      row.sealedDescription &&
      cipher.open(row.sealedDescription, bindings.subscriptionDescription(organizationId, row.id)).toString('utf8'),
    isActive: row.isActive === 1,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  })

  return {
    /** `secret` is the 32 bytes themselves. Refuses where the organization has as many as it may. */
    create: (url: string, description: string | null, secret: Uint8Array, at: Date): Promise<number> =>
      inTransaction(context, async (inside) => {
        await mustHaveRoom(inside, organizationId)
        const { id } = await inside.db
          .insertInto('subscription')
          .values({
            organizationId: organizationId,
            sealedUrl: new Uint8Array(),
            sealedDescription: null,
            sealedSecret: new Uint8Array(),
            isActive: 1,
            createdAt: at.toISOString(),
            updatedAt: at.toISOString(),
            deletedAt: null,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        // What a value is bound to has the id in it.
        await inside.db
          .updateTable('subscription')
          .set({
            sealedUrl: cipher.seal(url, bindings.subscriptionUrl(organizationId, id)),
            sealedDescription:
              description === null
                ? null
                : cipher.seal(description, bindings.subscriptionDescription(organizationId, id)),
            sealedSecret: cipher.seal(secret, bindings.subscriptionSecret(organizationId, id)),
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
            ...(changes.active !== undefined && { isActive: flag(changes.active) }),
            ...(changes.url !== undefined && {
              sealedUrl: cipher.seal(changes.url, bindings.subscriptionUrl(organizationId, id)),
            }),
            updatedAt: at.toISOString(),
          })
          .where('id', '=', id)
          .where('organizationId', '=', organizationId)
          .where('deletedAt', 'is', null)
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
          .set({ deletedAt: at.toISOString(), isActive: 0, updatedAt: at.toISOString() })
          .where('id', '=', id)
          .where('organizationId', '=', organizationId)
          .where('deletedAt', 'is', null)
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
    .where('organizationId', '=', organizationId)
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MAX_SUBSCRIPTIONS)
    throw new Refusal('invalid', `An organization has up to ${MAX_SUBSCRIPTIONS} subscriptions; delete one first.`)
}

/** Ends what waits for a subscription that may receive no more. spec: Endpoints › Webhook subscriptions */
export async function cancelQueued({ db }: StoreContext, subscriptionId: number, at: Date): Promise<void> {
  await db
    .updateTable('delivery')
    .set({ state: 'cancelled', updatedAt: at.toISOString() })
    .where('subscriptionId', '=', subscriptionId)
    .where('state', '=', sql.lit('waiting'))
    .execute()
}
