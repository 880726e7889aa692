/** What signers may do with the PDF of a document that waits for them, besides looking at it in the inbox. choice: Copies before signing */
export const UNSIGNED_PDF = ['off', 'view', 'download'] as const

/** `view`: the browser opens it on its own. `download`: it is saved as a file. */
export type UnsignedPdf = (typeof UNSIGNED_PDF)[number]
