/** Timestamps of seals: when documents may go without one, and what can be wrong with an authority. */

/** `required`: nothing is signed without a timestamp. `ifAvailable`: sealed without one while the authority gives none. */
export const TIMESTAMP_RULES = ['required', 'ifAvailable'] as const
export type TimestampRule = (typeof TIMESTAMP_RULES)[number]

/** Why there is no timestamp; completes "the timestamp authority …". */
export const timestampProblems = {
  away: 'could not be reached',
  untrustedHost: 'showed a TLS certificate that this service does not trust',
  blocked: 'is at an address that may not be called',
  tooSlow: 'did not answer in time',
  notGiven: 'refused to give a timestamp',
  unreadable: 'gave an answer that is no timestamp',
  anotherDocument: 'gave the timestamp of something else',
  anotherRequest: 'gave an old answer',
  forged: 'gave a timestamp whose signature is wrong',
  untrusted: 'is not one that this service trusts',
  tooLarge: 'gave a timestamp that is too large',
} as const
export type TimestampProblem = keyof typeof timestampProblems
