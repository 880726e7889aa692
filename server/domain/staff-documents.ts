/** Which PDFs operators, and administrators of the organization that sent them, may open in the console. choice: Documents in the console */
export const STAFF_DOCUMENTS = ['none', 'signed', 'all'] as const

/** `signed`: signed documents alone. `all`: also those that wait for a signer, and those that were rejected or withdrawn. */
export type StaffDocuments = (typeof STAFF_DOCUMENTS)[number]
