/**
 * How long the service waits for a store that fails: what certainly changed nothing is tried again for a bounded time, and then
 * refused. While the store is known to be away no one waits, so that calls do not pile up; the first that succeeds ends that.
 */
import { type BackOff, grown, spread } from '../../../lib/back-off.ts'
import { type Clock, systemClock } from '../../../lib/clock.ts'
import { STORE_PATIENCE_MS, STORE_RETRY_AFTER_MS } from '../../choices.ts'
import { OutcomeUnknown, StoreAway } from '../../domain/store-refusals.ts'
import { CommitUnanswered, Passing } from './faults.ts'

/** Called once when the store goes away and once when it is back, and of each commit that was not answered. */
export type Outage = { is: 'away' | 'unanswered'; reason: string } | { is: 'back'; seconds: number }

export interface Patience {
  /**
   * Runs `work`, and runs it again while it fails with a `Passing`. Rejects with a `StoreAway` when that takes too long, and
   * with an `OutcomeUnknown` when a commit was not answered.
   */
  patiently<T>(work: () => Promise<T>): Promise<T>
  isAway(): boolean
  /** Milliseconds since the database last answered anything. */
  sinceAnswerMs(): number
  /** Whether the last write failed because nothing can be written. What is read tells nothing about that. */
  cannotWrite(): boolean
  /** To be notified of each change that is committed. */
  wrote(): void
  /** Adds a listener. */
  onOutage(listen: (outage: Outage) => void): void
}

const BACK_OFF: BackOff = { firstMs: 40, longestMs: 500 }
/** An outage is over when nothing has failed for this long; a store that comes and goes is one outage. */
const QUIET_MS = 1_000

/** In real time. */
export const realPatience = (): Patience => createPatience(systemClock, Math.random)

/**
 * @param random from 0 to 1
 * @param what does not answer when it is away, for the refusal
 */
export function createPatience(clock: Clock, random: () => number, what = 'The store'): Patience {
  const listeners: ((outage: Outage) => void)[] = []
  const tell = (outage: Outage) => {
    for (const listen of listeners) listen(outage)
  }
  let awaySince: number | null = null
  let failedAt = 0
  let cannotWrite = false
  let answeredAt = Number.NEGATIVE_INFINITY

  function failed({ code: reason, isOfWriting }: Passing): void {
    failedAt = clock.now()
    cannotWrite ||= isOfWriting
    if (awaySince !== null) return
    awaySince = failedAt
    tell({ is: 'away', reason })
  }

  function answered(): void {
    answeredAt = clock.now()
    if (awaySince === null || cannotWrite || clock.now() - failedAt < QUIET_MS) return
    const seconds = Math.round((clock.now() - awaySince) / 1000)
    awaySince = null
    tell({ is: 'back', seconds })
  }

  return {
    isAway: () => awaySince !== null,
    sinceAnswerMs: () => clock.now() - answeredAt,
    cannotWrite: () => cannotWrite,
    wrote() {
      cannotWrite = false
    },
    onOutage(listen) {
      listeners.push(listen)
    },
    async patiently(work) {
      const began = clock.now()
      for (let failures = 1; ; failures++) {
        try {
          const result = await work()
          answered()
          return result
        } catch (failure) {
          if (failure instanceof CommitUnanswered) {
            tell({ is: 'unanswered', reason: failure.code })
            if (failure.isOfWriting) failed(failure)
            throw new OutcomeUnknown(STORE_RETRY_AFTER_MS)
          }
          if (!(failure instanceof Passing)) throw failure
          const pauseMs = spread(grown(BACK_OFF, failures), random())
          const waitedMs = clock.now() + pauseMs - began
          if (awaySince !== null || waitedMs > STORE_PATIENCE_MS) {
            failed(failure)
            throw new StoreAway(STORE_RETRY_AFTER_MS, what)
          }
          await clock.sleep(pauseMs)
        }
      }
    },
  }
}
