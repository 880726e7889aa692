/**
 * The documents of a task: `received` as it was prepared, which the signer is shown; `original` as it was received, of a task whose
 * document is drawn; `signed` as it was signed.
 */
export const documentKinds = ['original', 'received', 'signed'] as const
export type DocumentKind = (typeof documentKinds)[number]
