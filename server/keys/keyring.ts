/** Who a key belongs to: looked up by its id, compared in constant time, and never kept in a readable form. */
import { timingSafeEqual } from 'node:crypto'
import type { Actor } from '../domain/audit.ts'
import { Refusal } from '../domain/refusal.ts'
import type { StoredKey } from '../store/directory/keys.ts'
import type { StoredOperatorKey } from '../store/directory/operator-keys.ts'
import type { Store } from '../store/store.ts'
import { digestOf, type KeyKind, type KeyMode, type MadeKey, makeKey, readKey } from './api-key.ts'

/** Who makes a request. Everything that the request may reach belongs to this organization. */
export interface Caller {
  organizationId: number
  keyId: string
}

/** A program that works for an operator, or for the administrator of one organization. */
export interface OperatorCaller {
  /** Null for an operator. */
  organizationId: number | null
  keyId: string
}

export interface KeyTerms {
  /** ISO 8601; a key without it never expires. */
  expiresAt?: string | null
  /** Who makes it, for the audit log. */
  by?: Actor
}

export type OperatorTerms = Pick<StoredOperatorKey, 'organizationId' | 'description' | 'expiresAt'>

export interface Keyring {
  /** Refuses with `keyMissing` or `keyRefused`. */
  callerOf(key: string | undefined, at: Date): Promise<Caller>
  /** Makes a key, keeps its digest, and returns the key for the one time it is shown. */
  issue(organizationId: number, description: string, at: Date, terms?: KeyTerms): Promise<MadeKey>
  /** As `callerOf`, for the operator's interface. */
  operatorOf(key: string, at: Date): Promise<OperatorCaller>
  issueToOperator(terms: OperatorTerms, at: Date, by: Actor): Promise<MadeKey>
  /** A key that lives in this process only. */
  issueTemporary(organizationId: number): string
}

type KnownKey = Pick<StoredKey, 'organizationId' | 'digest' | 'revokedAt' | 'expiresAt'>
type Checked = Omit<KnownKey, 'organizationId'>

/** How often the time of last use is written, so that a busy key does not write with each request. */
const USED_EVERY_MS = 60_000

export function createKeyring(store: Store, mode: KeyMode, random: (bytes: number) => Uint8Array): Keyring {
  const temporary = new Map<string, KnownKey>()
  const lastUsed = new Map<string, number>()
  const nobody = digestOf('')

  /** What is known of the key. Refuses one that is not known, or that opens the service no longer. */
  async function checked<K extends Checked>(
    key: string,
    kind: KeyKind,
    find: (keyId: string) => Promise<K | undefined>,
    at: Date,
  ): Promise<K & { keyId: string }> {
    const said = readKey(key, kind)
    const known = said && (await find(said.keyId))
    const matches = timingSafeEqual(Buffer.from(said?.digest ?? digestOf(key)), Buffer.from(known?.digest ?? nobody))
    if (!said || !known || !matches) throw new Refusal('keyRefused', 'x-api-key: this key is not known here')
    if (said.mode !== mode)
      throw new Refusal('keyRefused', `x-api-key: a ${said.mode} key does not open a ${mode} service`)
    if (known.revokedAt !== null) throw new Refusal('keyRefused', 'x-api-key: this key was revoked')
    if (known.expiresAt !== null && known.expiresAt <= at.toISOString())
      throw new Refusal('keyRefused', 'x-api-key: this key has expired')
    return { ...known, keyId: said.keyId }
  }

  async function callerOf(key: string | undefined, at: Date): Promise<Caller> {
    if (!key) throw new Refusal('keyMissing', 'x-api-key: required; the API key of your organization')
    const find = async (keyId: string): Promise<KnownKey | undefined> =>
      temporary.get(keyId) ?? (await store.keys.find(keyId))
    const { organizationId, keyId } = await checked(key, 'sender', find, at)
    if (!temporary.has(keyId)) await noteUse(store.keys, keyId, at)
    return { organizationId, keyId }
  }

  async function operatorOf(key: string, at: Date): Promise<OperatorCaller> {
    const { organizationId, keyId } = await checked(key, 'operator', store.operatorKeys.find, at)
    await noteUse(store.operatorKeys, keyId, at)
    return { organizationId, keyId }
  }

  async function noteUse(keys: Pick<Store['keys'], 'used'>, keyId: string, at: Date): Promise<void> {
    if (at.getTime() - (lastUsed.get(keyId) ?? 0) < USED_EVERY_MS) return
    lastUsed.set(keyId, at.getTime())
    await keys.used(keyId, at)
  }

  return {
    callerOf,
    operatorOf,
    async issue(organizationId, description, at, { expiresAt = null, by } = {}) {
      const made = makeKey(mode, random)
      const { key, ...kept } = made
      const createdAt = at.toISOString()
      await store.keys.insert({ ...kept, organizationId, description, createdAt, expiresAt }, by)
      return made
    },
    async issueToOperator(terms, at, by) {
      const made = makeKey(mode, random, 'operator')
      const { key, ...kept } = made
      await store.operatorKeys.insert({ ...terms, ...kept, createdAt: at.toISOString() }, by)
      return made
    },
    issueTemporary(organizationId) {
      const { key, keyId, digest } = makeKey(mode, random)
      temporary.set(keyId, { organizationId, digest, revokedAt: null, expiresAt: null })
      return key
    },
  }
}
