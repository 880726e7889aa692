/**
 * Keys of the operator's interface, for programs. They are made, listed and revoked by the command line alone: anybody
 * who may make them could leave a way in behind.
 */
import { Refusal } from '../../domain/refusal.ts'
import type { Keyring } from '../../keys/keyring.ts'
import { expiryOf } from './keys.ts'
import type { OperatorContext } from './operator-context.ts'

export interface OperatorKeysContext extends Omit<OperatorContext, 'keyring'> {
  keyring: Pick<Keyring, 'issueToOperator'>
}

export interface NewOperatorKey {
  description: string
  /** The organization that the key is kept to, as an administrator is; null for everything that an operator may. */
  organizationId: number | null
  /** ISO 8601; a key without it never expires. */
  expiresAt: string | null
}

/** The key is shown this one time. */
export async function issueOperatorKey({ keyring, at, by }: OperatorKeysContext, asked: NewOperatorKey) {
  const terms = { ...asked, expiresAt: expiryOf(asked.expiresAt, at) }
  const { key, keyId, mode } = await keyring.issueToOperator(terms, at, by)
  return { keyId, organizationId: asked.organizationId, mode, expiresAt: terms.expiresAt, key }
}

/** Without digests. */
export const listOperatorKeys = async ({ store }: OperatorKeysContext) =>
  (await store.operatorKeys.list()).map(({ digest, ...listed }) => listed)

export async function revokeOperatorKey({ store, at, by }: OperatorKeysContext, keyId: string): Promise<void> {
  if (!(await store.operatorKeys.revoke(keyId, at, by)))
    throw new Refusal('notFound', 'keyId: no operator key of this service, or revoked already')
}
