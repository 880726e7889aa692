/** Time-based one-time codes (RFC 6238), as every authenticator app makes them: SHA-1, six digits, a new one each 30 seconds. */
import { Secret, TOTP } from 'otpauth'

const PERIOD_MS = 30_000

/** The bits of the hash (RFC 4226). */
export const SECRET_BYTES = 20

/** Steps that are looked at: clocks differ, and a code may be sent as it ends. */
const NEAR = [0, -1, 1]

const totpOf = (secret: Uint8Array, label = '') =>
  new TOTP({ issuer: 'Countersign', label, secret: new Secret({ buffer: Uint8Array.from(secret).buffer }) })

/**
 * Returns the step that the code belongs to under the secret, one at most before or after the present one; null when it belongs to
 * none, or to none after `last`.
 */
export function stepOf(code: string, secret: Uint8Array, last: number, at: Date): number | null {
  const totp = totpOf(secret)
  const now = totp.counter({ timestamp: at.getTime() })
  const isOf = (step: number) => totp.validate({ token: code, timestamp: step * PERIOD_MS, window: 0 }) !== null
  return NEAR.map((by) => now + by).find((step) => step > last && isOf(step)) ?? null
}

/** The secret as people type it into an app: Base32 in groups of four. */
export const readable = (secret: Uint8Array): string => totpOf(secret).secret.base32.replace(/(.{4})(?=.)/g, '$1 ')

/** Returns the URI that an app reads from the picture. */
export const uriOf = (secret: Uint8Array, email: string): string => totpOf(secret, email).toString()
