/** What a signer agrees to by signing. Pure. choice: Consent */

export interface Consent {
  version: string
  text: string
}

/** What the inbox shows now. A text that somebody has agreed to never changes: another wording is a version of its own. */
export const CONSENT: Consent = {
  version: '1',
  text: 'By signing you confirm that you have reviewed this document, and agree that your electronic signature counts as one by hand.',
}
