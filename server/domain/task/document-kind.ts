/** The documents of a task: as it was received and prepared, which the signer is shown, and as it was signed. */
export const documentKinds = ['received', 'signed'] as const
export type DocumentKind = (typeof documentKinds)[number]
