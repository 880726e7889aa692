/** The system of the identifiers that signed documents get, by which they are known when they come back as messages. */
export const SIGNED_SYSTEM = 'urn:countersign:signed'
