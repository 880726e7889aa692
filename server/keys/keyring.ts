/** Whom a key belongs to. It is looked up by its id, compared in constant time, and never kept in a readable form. */
import { timingSafeEqual } from 'node:crypto'
import { createStrangers, type LookUp } from '../../lib/strangers.ts'
import { BUSY_RETRY_MS, STRANGERS } from '../choices.ts'
import type { Actor } from '../domain/audit.ts'
import { type OperatorScope, scopesIn, scopesText } from '../domain/operator-scopes.ts'
import { Refusal, strangersWait } from '../domain/refusal.ts'
import type { FoundKey } from '../store/directory/key-table.ts'
import { dayOf, type KeyUse } from '../store/directory/key-use.ts'
import type { StoredKey } from '../store/directory/keys.ts'
import type { StoredOperatorKey } from '../store/directory/operator-keys.ts'
import { flag } from '../store/sql/flag.ts'
import type { Directory } from '../store/store.ts'
import { digestOf, type KeyKind, type KeyMode, type MadeKey, makeKey, readKey } from './api-key.ts'

/** Who makes a request. All that the request may reach belongs to this organization. */
export interface Caller {
  organizationId: number
  keyId: string
}

/** A program that works for an operator, or for the administrator of one organization. */
export interface OperatorCaller {
  /** Null for an operator. */
  organizationId: number | null
  keyId: string
  scopes: readonly OperatorScope[]
}

export interface KeyTerms {
  /** The person whose key it is. */
  personName?: string | null
  /** ISO 8601; a key without it never expires. */
  expiresAt?: string | null
  /** Who makes it, for the audit log. */
  by?: Actor
}

export interface ReplacingTerms {
  /** When the replaced key ends. */
  endsAt: Date
  /** When the new key expires, ISO 8601; null: never. */
  expiresAt: string | null
  by: Actor
}

export interface OperatorTerms extends Pick<StoredOperatorKey, 'organizationId' | 'description' | 'expiresAt'> {
  scopes: readonly OperatorScope[]
}

export interface Keyring {
  /**
   * Refuses with `keyMissing` or `keyRefused`, and with `Busy` when too many unknown keys wait.
   * @param network where the request comes from; optional, one name for all by default
   */
  callerOf(key: string | undefined, at: Date, network?: string): Promise<Caller>
  /** Makes a key, keeps its digest, and returns the key for the one time it is shown. */
  issue(organizationId: number, description: string, at: Date, terms?: KeyTerms): Promise<MadeKey>
  /**
   * Makes a key that replaces another one, which ends at that time. Null when there is no such key, or when it lets no one in any more.
   */
  replace(keyId: string, at: Date, terms: ReplacingTerms): Promise<MadeKey | null>
  /** Writes how many requests the keys of senders made since the last time. */
  writeUse(): Promise<void>
  /** Returns whom a key of the operator's interface belongs to. Refuses with `keyRefused`, or with `Busy` as `callerOf` does. */
  operatorOf(key: string, at: Date, network?: string): Promise<OperatorCaller>
  /** Makes a key for a program that works for an operator. */
  issueToOperator(terms: OperatorTerms, at: Date, by: Actor): Promise<MadeKey>
  /** A sender's key that is known to this process only, and is gone with it. */
  issueTemporary(organizationId: number): string
}

type KnownKey = Pick<FoundKey<StoredKey>, 'organizationId' | 'digest' | 'revokedAt' | 'expiresAt'>
/** The part of a key that is checked for any key, whatever it belongs to. */
type Checkable = Omit<KnownKey, 'organizationId'> & Pick<FoundKey<StoredKey>, 'organizationIsActive'>

/** @param keyHeader in which senders send their key */
export function createKeyring(
  store: Pick<Directory, 'keys' | 'keyUse' | 'operatorKeys' | 'organizations'>,
  mode: KeyMode,
  random: (bytes: number) => Uint8Array,
  keyHeader = OPERATOR_KEY_HEADER,
): Keyring {
  const temporary = new Map<string, KnownKey>()
  const markUsed = createUseMarks()
  const use = createUseCounts(store.keyUse)
  const inLine = createStrangers(STRANGERS, () => strangersWait(BUSY_RETRY_MS))
  const findSenderKey = inLine(async (keyId: string) => {
    const known = temporary.get(keyId)
    if (!known) return store.keys.find(keyId)
    return { ...known, organizationIsActive: flag(await store.organizations.isActive(known.organizationId)) }
  })
  const findOperatorKey = inLine(store.operatorKeys.find)

  return {
    async callerOf(key, at, network = '') {
      if (!key) throw new Refusal('keyMissing', `${keyHeader}: required; the API key of your organization`)
      const { organizationId, keyId } = await check(key, {
        ...{ kind: 'sender', mode, at, network, keyHeader },
        find: findSenderKey,
      })
      if (temporary.has(keyId)) return { organizationId, keyId }
      use.count(keyId, at)
      await markUsed(store.keys, keyId, at)
      return { organizationId, keyId }
    },
    async operatorOf(key, at, network = '') {
      const terms = {
        kind: 'operator',
        mode,
        at,
        network,
        find: findOperatorKey,
        keyHeader: OPERATOR_KEY_HEADER,
      } as const
      const { organizationId, keyId, scopes } = await check(key, terms)
      await markUsed(store.operatorKeys, keyId, at)
      return { organizationId, keyId, scopes: scopesIn(scopes) }
    },
    async issue(organizationId, description, at, { personName = null, expiresAt = null, by } = {}) {
      const made = makeKey(mode, random)
      const { key, ...kept } = made
      const createdAt = at.toISOString()
      await store.keys.insert({ ...kept, organizationId, personName, description, createdAt, expiresAt }, by)
      return made
    },
    async replace(keyId, at, { endsAt, expiresAt, by }) {
      const made = makeKey(mode, random)
      const { key, ...kept } = made
      const next = { ...kept, createdAt: at.toISOString(), expiresAt }
      return (await store.keys.replace(keyId, next, endsAt, by)) ? made : null
    },
    writeUse: use.write,
    async issueToOperator({ scopes, ...terms }, at, by) {
      const made = makeKey(mode, random, 'operator')
      const { key, ...kept } = made
      const row = { ...terms, ...kept, scopes: scopesText(scopes), createdAt: at.toISOString() }
      await store.operatorKeys.insert(row, by)
      return made
    },
    issueTemporary(organizationId) {
      const { key, keyId, digest } = makeKey(mode, random)
      temporary.set(keyId, { organizationId, digest, revokedAt: null, expiresAt: null })
      return key
    },
  }
}

interface Check<K extends Checkable> {
  kind: KeyKind
  mode: KeyMode
  at: Date
  network: string
  find: LookUp<K | undefined>
  /** Named when the key is refused. */
  keyHeader: string
}

/** Returns the key. Refuses with `keyRefused` one that is unknown, or no longer opens the service. */
async function check<K extends Checkable>(
  key: string,
  { kind, mode, at, network, find, keyHeader }: Check<K>,
): Promise<K & { keyId: string }> {
  const refused = (why: string) => new Refusal('keyRefused', `${keyHeader}: ${why}`)
  const read = readKey(key, kind)
  const known = read && (await find(read.keyId, network))
  const matches = timingSafeEqual(Buffer.from(read?.digest ?? digestOf(key)), Buffer.from(known?.digest ?? NO_DIGEST))
  if (!read || !known || !matches) throw refused('this key is not known here')
  if (read.mode !== mode) throw refused(`a ${read.mode} key does not open a ${mode} service`)
  if (known.revokedAt !== null) throw refused('this key was revoked')
  if (known.expiresAt !== null && known.expiresAt <= at.toISOString()) throw refused('this key has expired')
  if (known.organizationIsActive === 0) throw refused('the organization of this key is inactive')
  return { ...known, keyId: read.keyId }
}

/** Compared with when no such key is known, so that the comparison never tells whether one is. */
const NO_DIGEST = digestOf('')

/** The header of an operator's key: our own interface, which no host profile changes. */
export const OPERATOR_KEY_HEADER = 'x-api-key'

/** Milliseconds between two writes of the time of last use, so that a busy key does not write with each request. */
const MARK_EVERY_MS = 60_000

/** Returns a function that writes when a key was last used. */
function createUseMarks() {
  const markedAt = new Map<string, number>()
  return async (keys: Pick<Directory['keys'], 'used'>, keyId: string, at: Date): Promise<void> => {
    if (at.getTime() - (markedAt.get(keyId) ?? 0) < MARK_EVERY_MS) return
    const before = markedAt.get(keyId) ?? 0
    markedAt.set(keyId, at.getTime())
    try {
      await keys.used(keyId, at)
    } catch (failure) {
      markedAt.set(keyId, before)
      throw failure
    }
  }
}

/** Counts requests in memory, so that none of them waits for a write. */
function createUseCounts(keyUse: Pick<Directory['keyUse'], 'add'>) {
  let counts = new Map<string, KeyUse>()
  const add = ({ keyId, day, requests }: KeyUse) => {
    const id = `${keyId} ${day}`
    counts.set(id, { keyId, day, requests: requests + (counts.get(id)?.requests ?? 0) })
  }
  return {
    count: (keyId: string, at: Date) => add({ keyId, day: dayOf(at), requests: 1 }),
    async write(): Promise<void> {
      const written = [...counts.values()]
      counts = new Map()
      try {
        await keyUse.add(written)
      } catch (error) {
        for (const use of written) add(use)
        throw error
      }
    },
  }
}
