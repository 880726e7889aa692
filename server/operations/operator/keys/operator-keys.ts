/**
 * Keys of the operator's interface, for programs. They are made, listed and revoked by the command line alone: anybody
 * who may make them could leave a way in behind.
 */
import { Refusal } from '../../../domain/refusal.ts'
import type { Keyring } from '../../../keys/keyring.ts'
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

/** Refuses with `notFound` a key that does not exist or is revoked already. */
export async function revokeOperatorKey({ store, at, by }: OperatorKeysContext, keyId: string): Promise<void> {
  if (!(await store.operatorKeys.revoke(keyId, at, by)))
    throw new Refusal('notFound', 'keyId: no operator key of this service, or revoked already')
}
