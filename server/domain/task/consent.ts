/** The text that a signer agrees to by signing. Pure. choice: Consent */

export interface Consent {
  version: string
  text: string
}

/** The current text. A text that was agreed to never changes: a new wording is a new version. */
export const CONSENT: Consent = {
  version: '2',
  text: 'By signing you confirm that you have reviewed this document, and agree that your electronic signature is as binding as a handwritten one.',
}
