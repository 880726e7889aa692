/**
 * Whether signers may have the PDF of a pending document, in addition to seeing it in the inbox. choice: Copies before signing
 */
export const UNSIGNED_PDF = ['off', 'view', 'download'] as const

/** `view`: the browser opens it on its own. `download`: it is saved as a file. */
export type UnsignedPdf = (typeof UNSIGNED_PDF)[number]
