/** Webhook subscriptions of one sender. All but their state is sealed; the secret is handed out once, when one is made. */
import type { SelectQueryBuilder } from 'kysely'
import type { Subscription } from '../../../lib/contract/subscription.ts'
import { MAX_SUBSCRIPTIONS } from '../../choices.ts'
import type { Actor } from '../../domain/audit.ts'
import {
  effectOf,
  type SubscriptionChange,
  type SubscriptionEffect,
  type SubscriptionSettings,
} from '../../domain/delivery/subscription-change.ts'
import { Refusal } from '../../domain/refusal.ts'
import { inTransaction, type StoreContext, type TransactionContext } from '../context.ts'
import { addNewRow, changeRows } from '../rows/write-rows.ts'
import { UNBOUND } from '../sealing/bindings.ts'
import type { StoredRow } from '../sql/authenticated-tables.ts'
import { flag } from '../sql/flag.ts'
import type { Schema } from '../sql/schema.ts'
import { fanOutOf } from './fan-out.ts'
import { cancelRest, cancelSome, moveQueued } from './queued.ts'
import { sealDescription, sealSecret, sealUrl, subscriptionColumns, subscriptionOf } from './subscription-row.ts'

interface NewSubscription {
  url: string
  description: string | null
  /** The 32 bytes themselves. */
  secret: Uint8Array
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

  /**
   * Returns the subscription as it is afterwards, or null when this organization has no such one. An update that changes
   * nothing writes nothing. choice: Updates of subscriptions
   */
  async update(id: number, change: SubscriptionChange, at: Date): Promise<Subscription | null> {
    const { subscription, queue } = await inTransaction(context, (inside) =>
      update(inside, { organizationId, id, by }, change, at),
    )
    if (queue === 'moved') context.announce('event')
    if (queue === 'cancelled') await cancelRest(context, id, at)
    return subscription
  },

  /** Soft: the row stays for the delivery log. False when there is no such subscription of this organization. */
  async remove(id: number, at: Date): Promise<boolean> {
    const isRemoved = await inTransaction(context, async (inside) => {
      const now = at.toISOString()
      const deleted = await changeRows(inside, 'subscription', mine({ organizationId, id }), {
        deletedAt: now,
        isActive: 0,
        updatedAt: now,
      })
      if (deleted.length === 0) return false
      await cancelSome(inside, id, at)
      inside.audit({ action: 'subscription.delete', by, at, organizationId, subject: id })
      return true
    })
    if (isRemoved) await cancelRest(context, id, at)
    return isRemoved
  },
})

interface Owned {
  organizationId: number
  id: number
}

type Rows = SelectQueryBuilder<Schema, 'subscription', StoredRow<'subscription'>>

/** One subscription, unless it was deleted. */
const mine =
  ({ organizationId, id }: Owned) =>
  (rows: Rows): Rows =>
    rows.where('id', '=', id).where('organizationId', '=', organizationId).where('deletedAt', 'is', null)

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
  const { id } = await addNewRow(inside, 'subscription', {
    organizationId,
    sealedUrl: UNBOUND,
    sealedDescription: null,
    sealedSecret: UNBOUND,
    isActive: 1,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  })
  const owned = { organizationId, id }
  await changeRows(inside, 'subscription', mine(owned), {
    sealedUrl: sealUrl(inside, owned, url),
    sealedDescription: sealDescription(inside, owned, description),
    sealedSecret: sealSecret(inside, owned, secret),
  })
  return id
}

interface Updated {
  subscription: Subscription | null
  queue: SubscriptionEffect['queue']
}

async function update(
  inside: TransactionContext,
  { by, ...owned }: Owned & { by: Actor },
  change: SubscriptionChange,
  at: Date,
): Promise<Updated> {
  const { organizationId, id } = owned
  // Before the row is locked, in the order in which the dispatcher takes its locks.
  if (change.active === false) await fanOutOf(inside, organizationId, at)
  const before = await locked(inside, owned)
  if (!before) return { subscription: null, queue: 'kept' }
  const effect = effectOf(before, change)
  if (!effect) return { subscription: before, queue: 'kept' }
  const { changed, queue } = effect
  const row = await write(inside, owned, changed, at)
  if (queue === 'cancelled') {
    // When it becomes active, all of it at once: what is left would be sent.
    while ((await cancelSome(inside, id, at)) && changed.isActive);
  }
  if (queue === 'moved') await moveQueued(inside, id, at)
  inside.audit({ action: 'subscription.update', by, at, organizationId, subject: id })
  return { subscription: subscriptionOf(inside, row), queue }
}

async function locked(inside: TransactionContext, { organizationId, id }: Owned): Promise<Subscription | null> {
  const query = inside.db
    .selectFrom('subscription')
    .select(subscriptionColumns)
    .where('id', '=', id)
    .where('organizationId', '=', organizationId)
    .where('deletedAt', 'is', null)
  const row = await (inside.locksRows ? query.forNoKeyUpdate() : query).executeTakeFirst()
  return row ? subscriptionOf(inside, row) : null
}

async function write(
  inside: TransactionContext,
  owned: Owned,
  { isActive, url }: Partial<SubscriptionSettings>,
  at: Date,
): Promise<StoredRow<'subscription'>> {
  const [row] = await changeRows(inside, 'subscription', mine(owned), {
    ...(isActive !== undefined && { isActive: flag(isActive) }),
    ...(url !== undefined && { sealedUrl: sealUrl(inside, owned, url) }),
    updatedAt: at.toISOString(),
  })
  if (!row) throw new Error('The subscription was deleted while it was locked.')
  return row
}
