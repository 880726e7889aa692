/** A request that is understood and not granted. The domain knows no HTTP; server/http/failures.ts turns the kind into a status. */

export type RefusalKind =
  | 'invalid'
  | 'keyMissing'
  | 'keyRefused'
  /** A page's request without a session, or with one that ended. */
  | 'signedOut'
  /** Signed in, but this is for others, or the request came from elsewhere. */
  | 'forbidden'
  | 'notFound'
  | 'conflict'
  | 'tooLarge'
  | 'wrongMediaType'
  | 'tooMany'
  /** The body took longer to arrive than it may. */
  | 'tooSlow'
  | 'unavailable'

export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly kind: RefusalKind
  /** Sentences that say what is wrong and what to do; never a value of the request. */
  readonly errors: readonly string[]
  /** The text for a reader of the inbox, who knows no task, status or member of a request; null where `errors` will do. */
  plain: readonly string[] | null = null
  constructor(kind: RefusalKind, ...errors: readonly string[]) {
    super(errors.join('; '))
    this.kind = kind
    this.errors = errors
  }

  inPlainWords(...sentences: readonly string[]): this {
    this.plain = sentences
    return this
  }
}

/** Not now: it may be tried again after this time. */
export class Later extends Refusal {
  readonly waitSeconds: number
  constructor(kind: 'tooMany' | 'unavailable', waitMs: number, ...errors: readonly string[]) {
    super(kind, ...errors)
    this.waitSeconds = Math.ceil(waitMs / 1000)
  }
}

/** The caller asks too often. */
export class TooMany extends Later {
  constructor(waitMs: number, ...errors: readonly string[]) {
    super('tooMany', waitMs, ...errors)
  }
}

/** The service has no room for it at the moment. */
export class Busy extends Later {
  constructor(waitMs: number, ...errors: readonly string[]) {
    super('unavailable', waitMs, ...errors)
  }
}

/** Refuses a request whose key or session is not known yet, when too many of those wait. */
export const strangersWait = (waitMs: number): Busy =>
  new Busy(
    waitMs,
    `Too many requests with unknown keys or sessions are waiting. Try again in ${waitMs / 1000} seconds.`,
  )
