/** Facts about a timestamp, and the errors that one can have, for code that does not read ASN.1. */

export interface Timestamp {
  /** ISO 8601, UTC. */
  at: string
  /** Subject of the authority's certificate, which may name anyone unless `isTrusted`. */
  authority: string
  /** One of the expected authorities vouches for it. */
  isTrusted: boolean
}

/** Errors of a timestamp answer. */
export type TokenProblem =
  | 'notGiven'
  | 'unreadable'
  | 'anotherDocument'
  | 'anotherRequest'
  | 'forged'
  | 'untrusted'
  | 'tooLarge'
