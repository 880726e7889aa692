/**
 * Opens a document whose owner has an empty password, as most viewers do: whoever opens it, opens it as its owner, whatever the password
 * of its users is. PDFium tries an empty password for users alone. ISO 32000-1, 7.6.3 and ISO 32000-2, 7.6.4.
 */
import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'
import { readCrossReference } from './cross-reference.ts'
import { headerOffset } from './header.ts'
import { pdfObjects } from './objects.ts'
import { textBytes } from './text-bytes.ts'
import { countOf, entryOf, type Text } from './value.ts'

export interface OpenedByOwner {
  /** The document, or the same with an empty password for users. */
  pdf: Buffer
  /** The password of users, in bytes. */
  password: Buffer
}

/** Null where its owner has a password. */
export function openedByOwner(file: Buffer): OpenedByOwner | null {
  try {
    const offset = headerOffset(file) ?? 0
    const pdf = file.subarray(offset)
    const read = readCrossReference(pdf)
    if (!read.ok) return null
    const objects = pdfObjects(pdf, read.crossReference)
    const encryption = objects.resolve(entryOf(read.crossReference.trailer, 'Encrypt'))
    const textOf = (key: string): Text => {
      const value = objects.resolve(entryOf(encryption, key))
      if (value?.kind !== 'text') throw new Error(`no ${key}`)
      return value
    }
    const bytesOf = (key: string) => textBytes(pdf, textOf(key))
    const revision = countOf(objects.resolve(entryOf(encryption, 'R')))
    if (revision !== null && revision <= 4) {
      const bits = countOf(objects.resolve(entryOf(encryption, 'Length'))) ?? 40
      return { pdf: file, password: userPassword(bytesOf('O'), revision, revision === 2 ? 5 : bits / 8) }
    }
    const key = fileKey(bytesOf('O').subarray(0, 48), bytesOf('OE'), bytesOf('U').subarray(0, 48), revision === 6)
    if (!key) return null
    const hash = (salt: Buffer) => hashOf(salt, NOTHING, revision === 6)
    const patched = Buffer.from(file)
    /** Writes what fits into the place of a text: how many letters are escaped depends on the salt. */
    const write = (key: string, make: (salt: Buffer) => Buffer): Buffer => {
      const { start, end, isHex } = textOf(key)
      for (let i = 0; i < MOST_SALTS; i++) {
        const salt = Buffer.alloc(8, 33 + i)
        const bytes = make(salt)
        const written = Buffer.from(isHex ? `<${bytes.toString('hex')}>` : literal(bytes), 'latin1')
        if (written.length > end - start) continue
        patched.fill(' ', offset + start, offset + end).set(written, offset + start)
        return salt
      }
      throw new Error(`no room for ${key}`)
    }
    const salt = write('UE', (wrap) =>
      createCipheriv('aes-256-cbc', hash(wrap), NO_VECTOR).setAutoPadding(false).update(key),
    )
    write('U', (check) => Buffer.concat([hash(check), check, salt]))
    return { pdf: patched, password: NOTHING }
  } catch {
    // Not encrypted as the standard says, or in a way that this machine must not use.
    return null
  }
}

const MOST_SALTS = 200
const NOTHING = Buffer.alloc(0)
const NO_VECTOR = Buffer.alloc(16)
/** ISO 32000-1, 7.6.3.3: what passwords are filled up with. */
const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')

const digest = (name: string, ...parts: Uint8Array[]) => {
  const hash = createHash(name)
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** The password of users, which is encrypted with that of the owner. ISO 32000-1, algorithm 7. */
function userPassword(owner: Buffer, revision: number, keyBytes: number): Buffer {
  let key = digest('md5', PADDING)
  if (revision > 2) for (let i = 0; i < 50; i++) key = digest('md5', key.subarray(0, keyBytes))
  key = key.subarray(0, keyBytes)
  let password = owner.subarray(0, 32)
  for (let i = revision > 2 ? 19 : 0; i >= 0; i--)
    password = rc4(
      key.map((byte) => byte ^ i),
      password,
    )
  const ends = Array.from({ length: 33 }, (_, length) => length)
  const end = ends.find((length) => password.subarray(length).equals(PADDING.subarray(0, 32 - length)))
  return password.subarray(0, end)
}

function rc4(key: Uint8Array, data: Uint8Array): Buffer {
  const box = Uint8Array.from({ length: 256 }, (_, i) => i)
  const swap = (a: number, b: number) => {
    const kept = box[a]!
    box[a] = box[b]!
    box[b] = kept
  }
  let j = 0
  for (let i = 0; i < 256; i++) {
    j = (j + box[i]! + key[i % key.length]!) & 255
    swap(i, j)
  }
  j = 0
  return Buffer.from(data).map((byte, at) => {
    const i = (at + 1) & 255
    j = (j + box[i]!) & 255
    swap(i, j)
    return byte ^ box[(box[i]! + box[j]!) & 255]!
  }) as Buffer
}

/** The key of the document by the empty password of its owner; null where that is another. ISO 32000-2, algorithm 2.A. */
function fileKey(owner: Buffer, wrapped: Buffer, user: Buffer, isHard: boolean): Buffer | null {
  if (!hashOf(owner.subarray(32, 40), user, isHard).equals(owner.subarray(0, 32))) return null
  const key = hashOf(owner.subarray(40, 48), user, isHard)
  return createDecipheriv('aes-256-cbc', key, NO_VECTOR).setAutoPadding(false).update(wrapped.subarray(0, 32))
}

/** The hash of an empty password. ISO 32000-2, algorithm 2.B; earlier ones were simpler. @param isHard whether it takes 64 rounds */
function hashOf(salt: Buffer, user: Buffer, isHard: boolean): Buffer {
  let key = digest('sha256', salt, user)
  for (let round = 0, last = 0; isHard && (round < 64 || last > round - 32); round++) {
    const block = Buffer.concat([key, user])
    const text = Buffer.concat(Array.from({ length: 64 }, () => block))
    const cipher = createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32)).setAutoPadding(false)
    const encrypted = cipher.update(text)
    const rest = encrypted.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3
    key = digest(['sha256', 'sha384', 'sha512'][rest]!, encrypted)
    last = encrypted.at(-1)!
  }
  return key.subarray(0, 32)
}

/** A text in parentheses, in which only those and what viewers change are escaped. */
const literal = (bytes: Buffer): string =>
  `(${bytes.toString('latin1').replace(/[\\()\r]/g, (letter) => (letter === '\r' ? '\\r' : `\\${letter}`))})`
