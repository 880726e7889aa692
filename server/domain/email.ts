/** E-mail addresses as accounts are known by: one spelling for storing, comparing, and counting. */

/**
 * Returns the address with ASCII letters in lower case; null when the text is not an address in printable ASCII. `toLowerCase` would
 * also turn U+212A KELVIN SIGN into `k`, so that one address could be taken for another.
 */
export function emailOf(text: string): string | null {
  const address = text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '')
  return ADDRESS.test(address) ? address.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : null
}

/** RFC 5321, without addresses in UTF-8 (RFC 6531): letters that look alike would make accounts that look alike. */
const ADDRESS = /^(?=.{3,254}$)[!-?A-~]{1,64}@[!-?A-~]+$/

export const NOT_AN_EMAIL = 'email: an e-mail address in ASCII letters, digits, and signs'
