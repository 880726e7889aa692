/** The documents of a task: as it was received and prepared, which the signer is shown, and as it was signed. */
export type DocumentKind = 'received' | 'signed'
