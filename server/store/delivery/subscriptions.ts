/** Webhook subscriptions of one sender. All but their state is sealed; the secret is handed out once, when one is made. */
import type { Subscription } from '../../../lib/contract/subscription.ts'
import { MAX_SUBSCRIPTIONS } from '../../choices.ts'
import type { Actor } from '../../domain/audit.ts'
import { Refusal } from '../../domain/refusal.ts'
import { inTransaction, type StoreContext, type TransactionContext } from '../context.ts'
import { UNBOUND } from '../sealing/bindings.ts'
import { flag } from '../sql/flag.ts'
import { WAITING } from './due.ts'
import { sealDescription, sealSecret, sealUrl, subscriptionColumns, subscriptionOf } from './subscription-row.ts'

interface NewSubscription {
  url: string
  description: string | null
  /** The 32 bytes themselves. */
  secret: Uint8Array
}

/** What is left out stays as it is. */
export interface SubscriptionChange {
  active?: boolean | undefined
  url?: string | undefined
}

export const subscriptions = (context: StoreContext, organizationId: number, by: Actor) => ({
  /** Returns the id. `secret` is the 32 bytes themselves. Refuses where the organization has as many as it may. */
  create: (url: string, description: string | null, secret: Uint8Array, at: Date): Promise<number> =>
    inTransaction(context, async (inside) => {
      await mustHaveRoom(inside, organizationId)
      const id = await insert(inside, organizationId, { url, description, secret }, at)
      inside.audit({ action: 'subscription.create', by, at, organizationId, subject: id })
      return id
    }),

  async list(): Promise<Subscription[]> {
    const rows = await context.db
      .selectFrom('subscription')
      .select(subscriptionColumns)
      .where('organizationId', '=', organizationId)
      .where('deletedAt', 'is', null)
      .orderBy('id')
      .execute()
    return rows.map((row) => subscriptionOf(context, row))
  },

  /** Null when there is no such subscription of this organization. What is queued for a deactivated one waits no longer. */
  update: (id: number, change: SubscriptionChange, at: Date): Promise<Subscription | null> =>
    inTransaction(context, async (inside) => {
      const row = await update(inside, { organizationId, id }, change, at)
      if (!row) return null
      // When it is activated again, nothing may be left that an event of the same moment queued behind the deactivation.
      if (change.active !== undefined) await cancelQueued(inside, id, at)
      inside.audit({ action: 'subscription.update', by, at, organizationId, subject: id })
      return subscriptionOf(context, row)
    }),

  /** Soft: the row stays for the delivery log. False when there is no such subscription of this organization. */
  remove: (id: number, at: Date): Promise<boolean> =>
    inTransaction(context, async (inside) => {
      const now = at.toISOString()
      const { numUpdatedRows } = await mine(inside, { organizationId, id })
        .set({ deletedAt: now, isActive: 0, updatedAt: now })
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return false
      await cancelQueued(inside, id, at)
      inside.audit({ action: 'subscription.delete', by, at, organizationId, subject: id })
      return true
    }),
})

interface Owned {
  organizationId: number
  id: number
}

/** An update of one subscription, unless it was deleted. */
const mine = ({ db }: TransactionContext, { organizationId, id }: Owned) =>
  db
    .updateTable('subscription')
    .where('id', '=', id)
    .where('organizationId', '=', organizationId)
    .where('deletedAt', 'is', null)

/** Two creates at the same moment on PostgreSQL may pass together; one more does no harm. */
async function mustHaveRoom({ db }: TransactionContext, organizationId: number): Promise<void> {
  const { count } = await db
    .selectFrom('subscription')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('organizationId', '=', organizationId)
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MAX_SUBSCRIPTIONS)
    throw new Refusal('invalid', `An organization has up to ${MAX_SUBSCRIPTIONS} subscriptions; delete one first.`)
}

async function insert(
  inside: TransactionContext,
  organizationId: number,
  { url, description, secret }: NewSubscription,
  at: Date,
): Promise<number> {
  const now = at.toISOString()
  const { id } = await inside.db
    .insertInto('subscription')
    .values({
      organizationId,
      sealedUrl: UNBOUND,
      sealedDescription: null,
      sealedSecret: UNBOUND,
      isActive: 1,
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const owned = { organizationId, id }
  await mine(inside, owned)
    .set({
      sealedUrl: sealUrl(inside, owned, url),
      sealedDescription: sealDescription(inside, owned, description),
      sealedSecret: sealSecret(inside, owned, secret),
    })
    .execute()
  return id
}

const update = (inside: TransactionContext, owned: Owned, { active, url }: SubscriptionChange, at: Date) =>
  mine(inside, owned)
    .set({
      ...(active !== undefined && { isActive: flag(active) }),
      ...(url !== undefined && { sealedUrl: sealUrl(inside, owned, url) }),
      updatedAt: at.toISOString(),
    })
    .returning(subscriptionColumns)
    .executeTakeFirst()

/** Ends what waits for a subscription that may receive no more. spec: Endpoints › Webhook subscriptions */
export async function cancelQueued({ db }: TransactionContext, subscriptionId: number, at: Date): Promise<void> {
  await db
    .updateTable('delivery')
    .set({ state: 'cancelled', updatedAt: at.toISOString() })
    .where('subscriptionId', '=', subscriptionId)
    .where('state', '=', WAITING)
    .execute()
}
