/**
 * Keys of the operator's interface, for programs. They are made, listed and revoked by the command line alone: anyone
 * who may make them could leave a way in behind.
 */
import { type MadeByKey, madeByKey } from '../../../domain/made-by-key.ts'
import type { OperatorScope } from '../../../domain/operator-scopes.ts'
import { Refusal } from '../../../domain/refusal.ts'
import type { Keyring } from '../../../keys/keyring.ts'
import type { Directory } from '../../../store/store.ts'
import type { OperatorContext } from '../operator-context.ts'
import { expiryOf } from './keys.ts'

export interface OperatorKeysContext extends Omit<OperatorContext, 'keyring'> {
  keyring: Pick<Keyring, 'issueToOperator'>
}

export interface NewOperatorKey {
  description: string
  /** The one organization that the key reaches, like an administrator; null for a key that may do what an operator may. */
  organizationId: number | null
  /** ISO 8601; null for a key that never expires. */
  expiresAt: string | null
  scopes: readonly OperatorScope[]
}

/** Makes a key and returns it this one time. Refuses an expiry that is not to come. */
export async function issueOperatorKey({ keyring, at, by }: OperatorKeysContext, asked: NewOperatorKey) {
  const expiresAt = expiryOf(asked.expiresAt, at)
  const { key, keyId, mode } = await keyring.issueToOperator({ ...asked, expiresAt }, at, by)
  return { key, keyId, mode, expiresAt }
}

/** Returns the keys of all organizations and those of none, without their digests. */
export const listOperatorKeys = async ({ store }: OperatorKeysContext) =>
  (await store.operatorKeys.list()).map(({ digest, ...listed }) => listed)

export interface RevokedKey {
  /** Things that it created and that still give access or receive data. */
  made: (MadeByKey & { isDisabled: boolean })[]
}

/**
 * Revokes a key. Returns what it has made, and what was made by that; with `disablesMade`, all of it is disabled. Either all of this is
 * done or, when it fails, nothing. Refuses with `notFound` a key that does not exist, or is revoked already and leaves nothing to disable.
 */
export async function revokeOperatorKey(
  { store, at, by }: OperatorKeysContext,
  keyId: string,
  { disablesMade }: { disablesMade: boolean },
): Promise<RevokedKey> {
  const made: RevokedKey['made'] = []
  for (;;) {
    const live = await store.atOnce((inside) => revokeWithin({ store: inside, at, by }, keyId, disablesMade))
    made.push(...live.map((one) => ({ ...one, isDisabled: disablesMade })))
    // A request that was under way could make more until the key was revoked.
    if (!disablesMade || live.length === 0) return { made }
  }
}

interface Revoking extends Pick<OperatorKeysContext, 'at' | 'by'> {
  store: Directory
}

async function revokeWithin(revoking: Revoking, keyId: string, disablesMade: boolean): Promise<MadeByKey[]> {
  const { store, at, by } = revoking
  const isRevoked = await store.operatorKeys.revoke(keyId, at, by)
  const isKnown = isRevoked || (await store.operatorKeys.find(keyId)) !== undefined
  if (!isKnown || !(isRevoked || disablesMade))
    throw new Refusal('notFound', 'keyId: no operator key of this service, or revoked already')
  const live: MadeByKey[] = []
  for (const one of await madeByKey(store.audit.rows(), keyId))
    if (await HANDLING[one.kind].isLive(revoking, one)) live.push(one)
  if (disablesMade) for (const one of live) await HANDLING[one.kind].disable(revoking, one)
  return live
}

interface Handling {
  isLive(revoking: Revoking, made: MadeByKey): Promise<boolean>
  disable(revoking: Revoking, made: MadeByKey): Promise<unknown>
}

const account: Handling = {
  isLive: async ({ store }, { id }) => (await store.people.find(Number(id)))?.disabledAt === null,
  // The key may have disabled all others, so that its own account is the last operator.
  disable: ({ store, at, by }, { id }) => store.people.disable(Number(id), at, by, { includesLast: true }),
}

const subscriptionsOf = ({ store, by }: Revoking, organizationId: number | null) =>
  store.forOrganization(organizationId ?? 0, by).subscriptions

/** How each kind is found and disabled. Whose password it set, it can sign in as. */
const HANDLING: Record<MadeByKey['kind'], Handling> = {
  account,
  password: account,
  key: {
    isLive: async ({ store }, { id }) => (await store.keys.find(id))?.revokedAt === null,
    disable: ({ store, at, by }, { id }) => store.keys.revoke(id, at, by),
  },
  organization: {
    isLive: async ({ store }, { id }) => store.organizations.isActive(Number(id)),
    disable: ({ store, at, by }, { id }) => store.organizations.update(Number(id), { isActive: false }, at, by),
  },
  provider: {
    isLive: async ({ store }, { id }) => (await store.providers.find(id))?.isActive === true,
    disable: ({ store, at, by }, { id }) => store.providers.setActive(id, false, at, by),
  },
  // E-mails about waiting documents go to the address that it set.
  notices: {
    isLive: async ({ store }, { id }) => (await store.notices.of(id)).address !== null,
    disable: ({ store, at, by }, { id }) => store.notices.removeAddress(id, { by, at }),
  },
  subscription: {
    isLive: async (revoking, { id, organizationId }) =>
      (await subscriptionsOf(revoking, organizationId).list()).some((one) => one.id === Number(id) && one.isActive),
    disable: (revoking, { id, organizationId }) =>
      subscriptionsOf(revoking, organizationId).update(Number(id), { active: false }, revoking.at),
  },
}
