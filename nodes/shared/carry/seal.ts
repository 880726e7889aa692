/** Seals what a node keeps of messages, with AES-256-GCM: nobody reads it from the journal alone, and it opens only in its place. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

export interface Seal {
  /** `place` names what the bytes belong to. */
  sealBytes(bytes: Uint8Array, place: string): Buffer
  /** Throws when the bytes were sealed with another key or for another place, or were changed. */
  openBytes(sealed: Uint8Array, place: string): Buffer
  /** Does the same for places that take text. Returns Base64. */
  seal(bytes: Uint8Array, place: string): string
  open(sealed: string, place: string): Buffer
}

const NONCE = 12
const TAG = 16

/** @param secret any length; the key is derived from it */
export function createSeal(secret: Uint8Array | string): Seal {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'countersign: properties carried along', 32))
  const sealBytes: Seal['sealBytes'] = (bytes, place) => {
    const nonce = randomBytes(NONCE)
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place))
    const text = cipher.update(bytes)
    // GCM has no blocks to fill: nothing is left for the end.
    cipher.final()
    return Buffer.concat([nonce, cipher.getAuthTag(), text])
  }
  const openBytes: Seal['openBytes'] = (sealed, place) => {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE), { authTagLength: TAG })
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
