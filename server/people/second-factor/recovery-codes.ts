/** Recovery codes: what lets someone in who has lost the authenticator app. 50 random bits each. */
import { RECOVERY_CODES } from '../../choices.ts'

/** Crockford’s Base32, which omits letters that look like digits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const LENGTH = 10

/** Returns new codes, as they are compared. */
export function newRecoveryCodes(random: (bytes: number) => Uint8Array): string[] {
  const letters = (bytes: Uint8Array) => Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join('')
  return Array.from({ length: RECOVERY_CODES }, () => letters(random(LENGTH)))
}

/** Writes a code as people read it and write it down: two groups. */
export const written = (code: string): string => `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`

/** Folds a code for comparison: without case, spaces and letters that look like digits. */
export const compared = (entered: string): string =>
  entered.toLowerCase().replace(/[\s-]/g, '').replace(/o/g, '0').replace(/[il]/g, '1')
