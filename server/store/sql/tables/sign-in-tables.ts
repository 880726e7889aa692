/** The tables of sign-ins to the pages, and of the second factors that they require. */
import type { Sealed } from '../../sealing/cipher.ts'

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
  /** Devices from which a person has signed in before. */
  knownDevice: {
    /** SHA-256 of the device id, hexadecimal. */
    digest: string
    personId: number
    expiresAt: string
  }
  /** Who an account belongs to at a provider of single sign-on. */
  identity: {
    /** URL of the provider. */
    issuer: string
    /** The claim `sub`, by which the provider knows the person. */
    subject: string
    personId: number
    linkedAt: string
    mac: string
  }
  /** A sign-in that was sent to the provider and has not come back. */
  signOnAttempt: {
    /** SHA-256, hexadecimal, of the secret that its browser keeps. */
    digest: string
    /** The page that it was begun on. */
    returnTo: string
    /** Digest of the session that the browser had; null when it had none. */
    earlierSession: string | null
    endsAt: string
    mac: string
  }
  secondFactor: {
    personId: number
    /** The secret that the person's authenticator app shares. */
    sealedSecret: Sealed
    /** The time step of the last code that was accepted: no code of this step or an earlier one is accepted again. */
    lastStep: number
    since: string
    mac: string
  }
  /** Recovery codes that were not used yet. */
  recoveryCode: {
    personId: number
    /** Keyed by the store. */
    digest: string
  }
  /** A secret that becomes the second factor with the first right code. */
  secondFactorOffer: {
    personId: number
    /** Digest of the session, or of the step of a sign-in, that it was made for. */
    holder: string
    sealedSecret: Sealed
    expiresAt: string
    mac: string
  }
  /** A sign-in whose password was right, and that is no session yet. */
  signInStep: {
    /** SHA-256 of the step's id, hexadecimal. */
    digest: string
    personId: number
    missing: Missing
    expiresAt: string
    mac: string
  }
}

/** The step that a sign-in still needs after the right password: a code, or the set-up of a second factor. */
export type Missing = 'code' | 'enrolment'
