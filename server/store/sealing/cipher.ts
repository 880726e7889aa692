/**
 * Encrypts the store's secrets: patients, documents, free text, senders' ids, webhook secrets and URLs. Each value is encrypted
 * with AES-256-GCM under a data key of its own, which is wrapped by the master key and precedes it; the identity of its row is
 * authenticated with it, so that a value moved to another row cannot be decrypted. It never touches the database.
 */
import {
  type CipherGCM,
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  type DecipherGCM,
  type Hmac,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { setImmediate as others } from 'node:timers/promises'

/** An encrypted value: readable only with the master key. */
export type Sealed = Uint8Array

export interface Cipher {
  /** `binding` names the place that the value belongs to, for example `task/1001/request`. */
  seal(plain: Uint8Array | string, binding: string): Buffer
  open(sealed: Uint8Array, binding: string): Buffer
  /** The same for documents, in steps between which others have their turn: what one makes, the other opens, too. */
  sealLarge(plain: Uint8Array, binding: string): Promise<Buffer>
  openLarge(sealed: Uint8Array, binding: string): Promise<Buffer>
  /** The same for a document whose sealed bytes are kept elsewhere than its wrapped key: each is bound to a place of its own. */
  sealApart(plain: Uint8Array, binding: string): Promise<SealedApart>
  openApart(key: Sealed, keyBinding: string, body: Sealed, binding: string): Promise<Buffer>
  /** The header of values that are encrypted under the current master key. */
  readonly header: Uint8Array
  /** The same value under the current master key: its data key is rewrapped. */
  rewrap(sealed: Uint8Array, binding: string): Buffer
  /**
   * The stored value that is authenticated together with its row: it identifies what was encrypted, and stays the same when the
   * master key changes.
   */
  bodyOf(sealed: Uint8Array): Buffer
  /** The keys that authenticate backups: that of the current master key, then those of older ones. */
  readonly backupKeys: readonly [BackupKey, ...BackupKey[]]
  /** A keyed digest to look a secret value up by; the same value of another organization has another index. */
  index(value: string, binding: string): string
  /** The same cipher with another key for its indexes: that one stays when the master key changes, or nothing would be found. */
  indexedBy(indexKey: Uint8Array): Cipher
}

export interface BackupKey {
  /** Hexadecimal; not secret. It names the master key that this one is derived from. */
  id: string
  hmac(): Hmac
}

export interface SealedApart {
  body: Sealed
  /** The wrapped key of the body; `rewrap` brings it under another master key. */
  keyFor(binding: string): Sealed
}

export class WrongMasterKey extends Error {
  constructor() {
    super('The store was written with another master key. Give the service the key it was created with.')
  }
}

const VERSION = 1
const NONCE = 12
const TAG = 16
const KEY = 32
const KEY_ID = 8
const HEADER = 1 + KEY_ID
const WRAPPED = NONCE + KEY + TAG

/** `masterKey` is 32 bytes; older ones given after it can still open what they sealed. */
export function createCipher(masterKey: Uint8Array, ...olderKeys: readonly Uint8Array[]): Cipher {
  const keys = [masterKey, ...olderKeys].map(derive)
  const current = keys[0]!
  const known = new Map(keys.map((key) => [key.id.toString('hex'), key]))

  const header = Buffer.concat([Buffer.from([VERSION]), current.id])

  /** Returns the header of a value: its data key, wrapped. */
  const wrapped = (dataKey: Uint8Array, binding: string): Buffer[] => [
    header,
    ...encrypted(current.wrap, dataKey, binding),
  ]

  /** The data key of a value, and the value as it is sealed under that. */
  function unwrap(sealed: Uint8Array, binding: string) {
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
    const key = known.get(bytes.subarray(1, HEADER).toString('hex'))
    if (bytes[0] !== VERSION || !key) throw new WrongMasterKey()
    const ownKey = bytes.subarray(HEADER, HEADER + WRAPPED)
    return { dataKey: decrypt(key.wrap, ownKey, binding), body: bytes.subarray(HEADER + WRAPPED) }
  }

  const backupKey = ({ id, backup }: DerivedKeys): BackupKey => ({
    id: id.toString('hex'),
    hmac: () => createHmac('sha256', backup),
  })

  const cipher: Cipher = {
    header,
    backupKeys: [backupKey(current), ...keys.slice(1).map(backupKey)],
    seal(plain, binding) {
      const dataKey = randomBytes(KEY)
      const body = typeof plain === 'string' ? Buffer.from(plain) : plain
      return Buffer.concat([...wrapped(dataKey, binding), ...encrypted(createSecretKey(dataKey), body, binding)])
    },
    open(sealed, binding) {
      const { dataKey, body } = unwrap(sealed, binding)
      return decrypt(createSecretKey(dataKey), body, binding)
    },
    async sealLarge(plain, binding) {
      const dataKey = randomBytes(KEY)
      return encryptLarge(createSecretKey(dataKey), plain, binding, Buffer.concat(wrapped(dataKey, binding)))
    },
    async openLarge(sealed, binding) {
      const { dataKey, body } = unwrap(sealed, binding)
      return decryptLarge(createSecretKey(dataKey), body, binding)
    },
    async sealApart(plain, binding) {
      const dataKey = randomBytes(KEY)
      return {
        body: await encryptLarge(createSecretKey(dataKey), plain, binding, Buffer.alloc(0)),
        keyFor: (place) => Buffer.concat(wrapped(dataKey, place)),
      }
    },
    async openApart(key, keyBinding, body, binding) {
      if (body.length < NONCE + TAG) throw new Error('A sealed document is cut off.')
      const { dataKey } = unwrap(key, keyBinding)
      return decryptLarge(createSecretKey(dataKey), Buffer.from(body.buffer, body.byteOffset, body.byteLength), binding)
    },
    rewrap(sealed, binding) {
      const { dataKey, body } = unwrap(sealed, binding)
      return Buffer.concat([...wrapped(dataKey, binding), body])
    },
    bodyOf: (sealed) => Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength).subarray(HEADER + WRAPPED),
    index(value, binding) {
      return digest(current.index, value, binding)
    },
    indexedBy(indexKey) {
      const key = createSecretKey(indexKey)
      return { ...cipher, index: (value, binding) => digest(key, value, binding) }
    },
  }
  return cipher
}

const digest = (key: KeyObject, value: string, binding: string) =>
  createHmac('sha256', key).update(`${binding}\n${value}`).digest('base64url')

type DerivedKeys = ReturnType<typeof derive>

function derive(master: Uint8Array) {
  if (master.length !== KEY) throw new Error(`A master key is ${KEY} bytes; this one has ${master.length}.`)
  const part = (purpose: string) => Buffer.from(hkdfSync('sha256', master, '', `countersign ${purpose}`, KEY))
  return {
    // As key objects: bytes would be made into one again with each value.
    wrap: createSecretKey(part('wrap')),
    index: createSecretKey(part('index')),
    backup: createSecretKey(part('backup')),
    id: createHash('sha256').update(part('id')).digest().subarray(0, KEY_ID),
  }
}

/** In parts, so that they are written once into what they become part of. The mode leaves nothing for the end. */
function encrypted(key: KeyObject, plain: Uint8Array, binding: string): Buffer[] {
  const nonce = randomBytes(NONCE)
  const cipher = encrypting(key, nonce, binding)
  const body = cipher.update(plain)
  cipher.final()
  return [nonce, body, cipher.getAuthTag()]
}

function decrypt(key: KeyObject, sealed: Buffer, binding: string): Buffer {
  const decipher = decrypting(key, sealed, binding)
  return Buffer.concat([decipher.update(sealed.subarray(NONCE, sealed.length - TAG)), decipher.final()])
}

/** @param before what is before it in the result, so that all of it is written once */
async function encryptLarge(key: KeyObject, plain: Uint8Array, binding: string, before: Buffer): Promise<Buffer> {
  const nonce = randomBytes(NONCE)
  const cipher = encrypting(key, nonce, binding)
  const start = before.length + NONCE
  const sealed = Buffer.allocUnsafeSlow(start + plain.length + TAG)
  before.copy(sealed)
  nonce.copy(sealed, before.length)
  await inSteps(cipher, plain, sealed.subarray(start))
  cipher.final()
  cipher.getAuthTag().copy(sealed, start + plain.length)
  return sealed
}

async function decryptLarge(key: KeyObject, sealed: Buffer, binding: string): Promise<Buffer> {
  const decipher = decrypting(key, sealed, binding)
  const plain = Buffer.allocUnsafeSlow(sealed.length - NONCE - TAG)
  await inSteps(decipher, sealed.subarray(NONCE, sealed.length - TAG), plain)
  // Throws unless all of it is what was sealed.
  decipher.final()
  return plain
}

const encrypting = (key: KeyObject, nonce: Uint8Array, binding: string): CipherGCM =>
  createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(binding))

const decrypting = (key: KeyObject, sealed: Buffer, binding: string): DecipherGCM =>
  createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE), { authTagLength: TAG })
    .setAAD(Buffer.from(binding))
    .setAuthTag(sealed.subarray(sealed.length - TAG))

/** One step takes about a millisecond. */
const STEP_BYTES = 1024 * 1024

/** The mode is one of a stream: it gives as many bytes as it is given. */
async function inSteps(cipher: CipherGCM | DecipherGCM, from: Uint8Array, into: Uint8Array): Promise<void> {
  for (let at = 0; at < from.length; at += STEP_BYTES) {
    if (at > 0) await others()
    into.set(cipher.update(from.subarray(at, at + STEP_BYTES)), at)
  }
}
