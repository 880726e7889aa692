/** Hosts with a rate limit, on a virtual clock: each answers after a tenth of a second, or refuses with 429. */
import { RateLimitedError } from '../../../../lib/client/errors.ts'
import { fullBucket, takeOne } from '../../../../server/domain/delivery/rate.ts'
import type { FakeClock } from '../../../support/fake-clock.ts'

const TAKES_MS = 100

/** How a host counts: returns the milliseconds to wait for a call, 0 when it takes it. */
export type Counting = (clock: FakeClock, perMinute: number) => () => number

/** Fills evenly, and takes a minute's worth at once after a rest, as our service does. */
export const evenly: Counting = (clock, perMinute) => {
  let bucket = fullBucket(perMinute, clock.now())
  return () => {
    const taken = takeOne(bucket, perMinute, clock.now())
    bucket = taken.bucket
    return taken.waitMs
  }
}

/** Takes a minute's worth in each minute of the clock. */
export const byTheMinute: Counting = (clock, perMinute) => {
  let minute = 0
  let taken = 0
  return () => {
    const now = Math.floor(clock.now() / 60_000)
    if (now > minute) taken = 0
    minute = now
    if (taken === perMinute) return (minute + 1) * 60_000 - clock.now()
    taken += 1
    return 0
  }
}

export interface LimitedHostOptions {
  clock: FakeClock
  count?: Counting
  perMinute?: number
  /** Whether a refusal says how long to wait. */
  saysWhen?: boolean
}

export function limitedHost({ clock, count = evenly, perMinute = 20, saysWhen = true }: LimitedHostOptions) {
  const take = count(clock, perMinute)
  const seen = { taken: [] as number[], refused: 0, mostAtOnce: 0 }
  let underWay = 0
  return {
    seen,
    async call(id: number): Promise<number> {
      seen.mostAtOnce = Math.max(seen.mostAtOnce, ++underWay)
      await clock.sleep(TAKES_MS)
      underWay -= 1
      const waitMs = take()
      if (waitMs > 0) {
        seen.refused += 1
        throw new RateLimitedError('readTask', ['too many'], saysWhen ? Math.ceil(waitMs / 1000) : null)
      }
      seen.taken.push(id)
      return id
    },
  }
}
