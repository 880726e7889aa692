/** What is known of a timestamp, and what can be wrong with one, for those who read no ASN.1. */

export interface Timestamp {
  /** ISO 8601, UTC. */
  at: string
  /** Subject of the authority's certificate, which may name anybody unless `isTrusted`. */
  authority: string
  /** One of the expected authorities vouches for it. */
  isTrusted: boolean
}

/** What can be wrong with an answer. */
export type TokenProblem =
  | 'notGiven'
  | 'unreadable'
  | 'anotherDocument'
  | 'anotherRequest'
  | 'forged'
  | 'untrusted'
  | 'tooLarge'
