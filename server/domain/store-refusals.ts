/**
 * Refusals for when the store cannot do its part now. Either nothing was changed, or the outcome is unknown.
 * choice: Store away, Unknown outcome
 */
import { Later } from './refusal.ts'

/** The store does not answer or cannot write, and has changed nothing. */
export class StoreAway extends Later {
  /** @param what is away: the store, or the object storage of the documents */
  constructor(waitMs: number, what = 'The store') {
    super(
      'unavailable',
      waitMs,
      `${what} does not answer. Nothing was changed; try again in ${Math.ceil(waitMs / 1000)} seconds.`,
    )
  }
}

/** The store went away between being told to commit and saying that it did. */
export class OutcomeUnknown extends Later {
  readonly #waitMs: number
  /** @param advice how the caller finds out what became of it */
  constructor(waitMs: number, advice = 'Look before you send it again.') {
    super(
      'unavailable',
      waitMs,
      `The answer of the store was lost, so it is not known whether this was done. ${advice}`,
    )
    this.#waitMs = waitMs
  }

  withAdvice(advice: string): OutcomeUnknown {
    return new OutcomeUnknown(this.#waitMs, advice)
  }
}
