/**
 * The parameters that go to the provider with one sign-in. All of them follow from a secret that only the browser keeps, so
 * that the answer comes back to that browser alone, and nothing that is stored can finish it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { sha256 } from '../session-digest.ts'

export interface Handshake {
  /** Comes back in the URL: shows that it is this browser that asked. */
  state: string
  /** Comes back in the ID token: shows that the token was made for this sign-in. */
  nonce: string
  /** Goes to the provider with the code, which is worth nothing without it (PKCE). */
  verifier: string
}

export function handshakeOf(secret: string): Handshake {
  const derived = (name: string) => createHmac('sha256', secret).update(`sign-on ${name}`).digest('base64url')
  return { state: derived('state'), nonce: derived('nonce'), verifier: derived('verifier') }
}

export const isStateOf = (secret: string, state: string): boolean =>
  timingSafeEqual(sha256(state), sha256(handshakeOf(secret).state))
