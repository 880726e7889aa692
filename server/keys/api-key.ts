/**
 * The form of an API key: `csk_<test|live>_<key id>_<256 random bits>_<checksum>`, or `cso_…` for an operator. A double click
 * selects all of it, scanners find it where it should not be, and the checksum turns typing errors away before anything is
 * looked up.
 */
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

export type KeyMode = 'test' | 'live'

/** Whom a key lets in: a sender, or a program of an operator. Neither opens the door of the other. */
export type KeyKind = 'sender' | 'operator'

const PREFIXES: Readonly<Record<KeyKind, string>> = { sender: 'csk', operator: 'cso' }

export interface MadeKey {
  /** The key itself: shown once and never kept. */
  key: string
  keyId: string
  mode: KeyMode
  /** SHA-256 of the key, hexadecimal: what is kept. A fast digest suits 256 random bits. */
  digest: string
  last4: string
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const ID_BYTES = 8
const SECRET_BYTES = 32
const FORM = /^(cs[ko])_(test|live)_([0-9A-Za-z]{11})_([0-9A-Za-z]{43})_([0-9A-Za-z]{6})$/

/** @param random returns this number of random bytes */
export function makeKey(mode: KeyMode, random: (bytes: number) => Uint8Array, kind: KeyKind = 'sender'): MadeKey {
  const keyId = base62(random(ID_BYTES), 11)
  const body = `${PREFIXES[kind]}_${mode}_${keyId}_${base62(random(SECRET_BYTES), 43)}`
  const key = `${body}_${checksum(body)}`
  return { key, keyId, mode, digest: digestOf(key), last4: key.slice(-4) }
}

/** Reads the parts of a key; null when it cannot be one of ours, or is of the other kind. */
export function readKey(
  key: string,
  kind: KeyKind = 'sender',
): { keyId: string; mode: KeyMode; digest: string } | null {
  const [, prefix, mode, keyId, , sum] = FORM.exec(key) ?? []
  if (prefix !== PREFIXES[kind] || !mode || !keyId || checksum(key.slice(0, key.lastIndexOf('_'))) !== sum) return null
  return { keyId, mode: mode as KeyMode, digest: digestOf(key) }
}

/** SHA-256, hexadecimal. */
export const digestOf = (key: string): string => createHash('sha256').update(key).digest('hex')

const checksum = (text: string): string => {
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(text))
  return base62(sum, 6)
}

function base62(bytes: Uint8Array, length: number): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  for (let i = 0; i < length; i++) {
    text = DIGITS[Number(rest % 62n)] + text
    rest /= 62n
  }
  return text
}
