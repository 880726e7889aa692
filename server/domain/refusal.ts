/** A request that is understood and not granted. The domain knows no HTTP; server/http/failures.ts turns the kind into a status. */

export type RefusalKind =
  | 'invalid'
  | 'keyMissing'
  | 'keyRefused'
  | 'notFound'
  | 'conflict'
  | 'tooLarge'
  | 'wrongMediaType'
  | 'tooMany'
  | 'unavailable'

export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly kind: RefusalKind
  /** Sentences that say what is wrong and what to do; never a value of the request. */
  readonly errors: readonly string[]
  constructor(kind: RefusalKind, ...errors: readonly string[]) {
    super(errors.join('; '))
    this.kind = kind
    this.errors = errors
  }
}
