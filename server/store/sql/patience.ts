/**
 * How long the service waits for a store that fails: what certainly changed nothing is tried again for a bounded time, and then
 * refused. While the store is known to be away nobody waits, so that calls do not pile up; the first that succeeds ends that.
 */
import { type BackOff, grown, spread } from '../../../lib/back-off.ts'
import { type Clock, systemClock } from '../../../lib/clock.ts'
import { STORE_PATIENCE_MS, STORE_RETRY_AFTER_MS } from '../../choices.ts'
import { OutcomeUnknown, StoreAway } from '../../domain/store-refusals.ts'
import { CommitUnanswered, Passing } from './faults.ts'

/** Told once when the store goes away and once when it is back, and of each commit that was not answered. */
export type Outage = { is: 'away' | 'unanswered'; reason: string } | { is: 'back'; seconds: number }

export interface Patience {
  /**
   * Runs `work`, and runs it again while it fails with a `Passing`. Rejects with a `StoreAway` when that takes too long, and
   * with an `OutcomeUnknown` when a commit was not answered.
   */
  patiently<T>(work: () => Promise<T>): Promise<T>
  isAway(): boolean
  /** One listener. */
  onOutage(listen: (outage: Outage) => void): void
}

const BACK_OFF: BackOff = { firstMs: 40, longestMs: 500 }
/** An outage is over when nothing has failed for this long; a store that comes and goes is one outage. */
const QUIET_MS = 1_000

/** In real time. */
export const realPatience = (): Patience => createPatience(systemClock, Math.random)

/** @param random from 0 to 1 */
export function createPatience(clock: Clock, random: () => number): Patience {
  let listener: (outage: Outage) => void = () => {}
  let awaySince: number | null = null
  let failedAt = 0

  function failed(reason: string): void {
    failedAt = clock.now()
    if (awaySince !== null) return
    awaySince = failedAt
    listener({ is: 'away', reason })
  }

  function answered(): void {
    if (awaySince === null || clock.now() - failedAt < QUIET_MS) return
    const seconds = Math.round((clock.now() - awaySince) / 1000)
    awaySince = null
    listener({ is: 'back', seconds })
  }

  return {
    isAway: () => awaySince !== null,
    onOutage(listen) {
      listener = listen
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
            listener({ is: 'unanswered', reason: failure.code })
            throw new OutcomeUnknown(STORE_RETRY_AFTER_MS)
          }
          if (!(failure instanceof Passing)) throw failure
          const pauseMs = spread(grown(BACK_OFF, failures), random())
          const waitedMs = clock.now() + pauseMs - began
          if (awaySince !== null || waitedMs > STORE_PATIENCE_MS) {
            failed(failure.code)
            throw new StoreAway(STORE_RETRY_AFTER_MS)
          }
          await clock.sleep(pauseMs)
        }
      }
    },
  }
}
