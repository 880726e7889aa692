/** What signing in to the pages leaves behind. */
export interface SignInTables {
  signInTries: {
    /** SHA-256, hexadecimal, of what is counted: a network, a network and an account, a device, a session. */
    name: string
    /** SHA-256, hexadecimal, of the e-mail address, whether it has an account or not; null for a network. */
    account: string | null
    count: number
    firstAt: string
    /** The next try is refused before this time; null when it is not. */
    waitUntil: string | null
    endsAt: string
  }
  /** From where a person has signed in before. */
  knownDevice: {
    /** SHA-256 of the device id, hexadecimal. */
    digest: string
    personId: number
    expiresAt: string
  }
}
