/** A row of the table of subscriptions, and what it says when it is opened. */
import type { Selectable } from 'kysely'
import type { Subscription } from '../../../lib/contract/subscription.ts'
import type { StoreContext } from '../context.ts'
import { bindings } from '../sealing/bindings.ts'
import type { Sealed } from '../sealing/cipher.ts'
import type { Schema } from '../sql/schema.ts'

/** All but the secret, which no read gives away. */
export const subscriptionColumns = [
  'id',
  'organizationId',
  'sealedUrl',
  'sealedDescription',
  'isActive',
  'createdAt',
  'updatedAt',
] as const
type SubscriptionRow = Pick<Selectable<Schema['subscription']>, (typeof subscriptionColumns)[number]>

export const subscriptionOf = (context: StoreContext, row: SubscriptionRow): Subscription => ({
  id: row.id,
  url: openUrl(context, row),
  description: openDescription(context, row),
  isActive: row.isActive === 1,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})

interface Owned {
  id: number
  organizationId: number
}

export const sealUrl = ({ cipher }: StoreContext, { organizationId, id }: Owned, url: string): Sealed =>
  cipher.seal(url, bindings.subscriptionUrl(organizationId, id))

export const openUrl = (
  { cipher }: StoreContext,
  { organizationId, id, sealedUrl }: Owned & { sealedUrl: Sealed },
): string => cipher.open(sealedUrl, bindings.subscriptionUrl(organizationId, id)).toString('utf8')

export const sealDescription = (
  { cipher }: StoreContext,
  { organizationId, id }: Owned,
  description: string | null,
): Sealed | null =>
  description === null ? null : cipher.seal(description, bindings.subscriptionDescription(organizationId, id))

const openDescription = ({ cipher }: StoreContext, { organizationId, id, sealedDescription }: SubscriptionRow) =>
  sealedDescription &&
  cipher.open(sealedDescription, bindings.subscriptionDescription(organizationId, id)).toString('utf8')

export const sealSecret = ({ cipher }: StoreContext, { organizationId, id }: Owned, secret: Uint8Array): Sealed =>
  cipher.seal(secret, bindings.subscriptionSecret(organizationId, id))

export const sealNextSecret = ({ cipher }: StoreContext, { organizationId, id }: Owned, secret: Uint8Array): Sealed =>
  cipher.seal(secret, bindings.subscriptionNextSecret(organizationId, id))

type Secrets = Pick<Selectable<Schema['subscription']>, 'sealedSecret' | 'sealedNextSecret' | 'nextSecretAt'>

/** Returns the secrets that are valid at a time, first the one that signs our own header. choice: Another secret */
export function openSecrets({ cipher }: StoreContext, row: Owned & Secrets, at: Date): [Buffer, ...Buffer[]] {
  const { organizationId, id, sealedSecret, sealedNextSecret, nextSecretAt } = row
  const open = () => cipher.open(sealedSecret, bindings.subscriptionSecret(organizationId, id))
  if (sealedNextSecret === null || nextSecretAt === null) return [open()]
  const next = cipher.open(sealedNextSecret, bindings.subscriptionNextSecret(organizationId, id))
  return at.toISOString() < nextSecretAt ? [open(), next] : [next]
}
