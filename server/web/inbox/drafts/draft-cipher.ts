/** Seals drafts for one person, with a key derived from a secret that the service gives to that person alone. */

export interface Sealed {
  nonce: Uint8Array<ArrayBuffer>
  bytes: ArrayBuffer
}

export interface DraftCipher {
  /** Keeps the drafts of one person apart from those of others, without naming anyone. */
  owner: string
  /** `binding` names the document; under another one the draft does not open. */
  seal(text: string, binding: string): Promise<Sealed>
  /** Rejects unless it was sealed with the same secret and binding. */
  open(sealed: Sealed, binding: string): Promise<string>
}

const NONCE_BYTES = 12
const OWNER_BITS = 128

/** @param secret 32 bytes as Base64 */
export async function draftCipher(secret: string): Promise<DraftCipher> {
  const bytes = Uint8Array.from(atob(secret), (char) => char.charCodeAt(0))
  const root = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveBits', 'deriveKey'])
  const purpose = (info: string) => ({ name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: utf8(info) })
  const [key, owner] = await Promise.all([
    crypto.subtle.deriveKey(purpose('key'), root, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']),
    crypto.subtle.deriveBits(purpose('owner'), root, OWNER_BITS),
  ])
  const how = (nonce: Sealed['nonce'], binding: string) => ({
    name: 'AES-GCM',
    iv: nonce,
    additionalData: utf8(binding),
  })
  return {
    owner: String.fromCharCode(...new Uint8Array(owner)),
    async seal(text, binding) {
      const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
      return { nonce, bytes: await crypto.subtle.encrypt(how(nonce, binding), key, utf8(text)) }
    },
    async open({ nonce, bytes }, binding) {
      return new TextDecoder().decode(await crypto.subtle.decrypt(how(nonce, binding), key, bytes))
    },
  }
}

const utf8 = (text: string) => new TextEncoder().encode(text)
