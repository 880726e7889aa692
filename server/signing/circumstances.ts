/** Under which circumstances a document is signed, as its certificate page tells them. */
import type { Authentication } from '../domain/sign-in-means.ts'
import { CONSENT, type Consent } from '../domain/task/consent.ts'
import type { Completion } from '../pdf/completion.ts'

export interface Circumstances {
  /** Null where it is not known. */
  authentication: Authentication | null
  /** Network address; null for signers of the service itself. */
  address: string | null
  /** The device as the browser names itself. */
  device: string | null
  /** Null where the signer was asked for none. */
  consent: Consent | null
}

/** The circumstances of signers who look at no page. */
export const withoutPage = (authentication: Authentication, address?: string): Circumstances => ({
  authentication,
  address: address ?? null,
  device: null,
  consent: null,
})

/** Returns undefined for a version that is not the one that is shown now. */
export const consentOf = (version: string): Consent | undefined => (version === CONSENT.version ? CONSENT : undefined)

/** Words circumstances for a certificate page. */
export const inWords = ({
  authentication,
  device,
  ...rest
}: Circumstances): Completion['certificate']['circumstances'] => ({
  ...rest,
  authentication: authentication && sentences[authentication],
  device: device?.slice(0, MOST_OF_A_DEVICE) ?? null,
})

/** Characters: browsers stay far below it. */
const MOST_OF_A_DEVICE = 300

const sentences: Readonly<Record<Authentication, string>> = {
  password: 'signed in with a password',
  passwordAndCode: 'signed in with a password and a code of a second factor',
  singleSignOn: 'signed in through single sign-on',
  demo: 'not verified: anyone may sign in as a person of the demo',
  sandboxCall: 'not at all: the sender signed by a call of the sandbox',
  demoSigner: 'not at all: a demo signer, who signs by itself',
}
