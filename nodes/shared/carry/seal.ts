/** Seals what a node keeps of messages, with AES-256-GCM: no one reads it from the journal alone, and it opens only in its place. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { giveBack } from '../../../lib/memory.ts'

export interface Seal {
  /** `place` names what the bytes belong to. */
  sealBytes(bytes: Uint8Array, place: string): Buffer
  /** Throws when the bytes were sealed with another key or for another place, or were changed. */
  openBytes(sealed: Uint8Array, place: string): Buffer
  /** Does the same for places that take text. Returns Base64. */
  seal(bytes: Uint8Array, place: string): string
  open(sealed: string, place: string): Buffer
}

const keyOf = (secret: Uint8Array | string) =>
  Buffer.from(hkdfSync('sha256', secret, '', 'countersign: properties carried along', 32))

const NONCE = 12
const TAG = 16
/** How many bytes longer encrypted bytes are. */
export const SEALED_EXTRA = NONCE + TAG
const STEP_BYTES = 2 * 1024 * 1024

/** @param secrets of any length; the first one seals, and each of them opens */
export function createSeal(secrets: Uint8Array | string | readonly (Uint8Array | string)[]): Seal {
  const [key, ...earlier] = [secrets].flat().map(keyOf)
  if (!key) throw new TypeError('secrets: at least one is required')
  const sealBytes: Seal['sealBytes'] = (bytes, place) => {
    const nonce = randomBytes(NONCE)
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place))
    const sealed = Buffer.allocUnsafe(NONCE + TAG + bytes.length)
    // In steps: all of it at once would be there twice.
    for (let at = 0; at < bytes.length; at += STEP_BYTES) {
      const step = cipher.update(bytes.subarray(at, at + STEP_BYTES))
      sealed.set(step, NONCE + TAG + at)
      giveBack(step)
    }
    // GCM has no blocks to fill: nothing is left for the end.
    cipher.final()
    sealed.set(nonce)
    sealed.set(cipher.getAuthTag(), NONCE)
    return sealed
  }
  const openBytes: Seal['openBytes'] = (sealed, place) => {
    try {
      return opened(sealed, place, key)
    } catch (failure) {
      for (const other of earlier)
        try {
          return opened(sealed, place, other)
        } catch {}
      throw failure
    }
  }
  const opened = (sealed: Uint8Array, place: string, by: Buffer) => {
    const decipher = createDecipheriv('aes-256-gcm', by, sealed.subarray(0, NONCE), { authTagLength: TAG })
    decipher.setAAD(Buffer.from(place)).setAuthTag(sealed.subarray(NONCE, NONCE + TAG))
    const bytes = decipher.update(sealed.subarray(NONCE + TAG))
    decipher.final()
    return bytes
  }
  return {
    sealBytes,
    openBytes,
    seal: (bytes, place) => sealBytes(bytes, place).toString('base64'),
    open: (sealed, place) => openBytes(Buffer.from(sealed, 'base64'), place),
  }
}
