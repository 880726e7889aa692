/** Values that are sealed as JSON. `binding` is one of `bindings`. */
import type { Cipher } from './cipher.ts'

interface Sealing {
  cipher: Cipher
}

export const sealJson = ({ cipher }: Sealing, value: unknown, binding: string): Buffer =>
  cipher.seal(JSON.stringify(value), binding)

/** Throws when the value was sealed for another place, or under a master key that the cipher does not have. */
export const openJson = <T>({ cipher }: Sealing, sealed: Uint8Array, binding: string): T =>
  JSON.parse(cipher.open(sealed, binding).toString('utf8')) as T
