/** Which PDFs operators, and administrators of the organization that sent them, may open in the console. choice: Documents in the console */
export const STAFF_DOCUMENTS = ['none', 'signed', 'all'] as const

/** `signed`: signed documents alone. `all`: also those that wait for a signer, and those that were rejected or withdrawn. */
export type StaffDocuments = (typeof STAFF_DOCUMENTS)[number]

/** The documents that the setting is about: `received` as the signer is shown it, `original` as it came when that was drawn. */
export const STAFF_KINDS = ['original', 'received', 'signed'] as const
export type StaffKind = (typeof STAFF_KINDS)[number]
