/** Holds each key to its number of requests per minute: more is 429, with the time to wait. choice: Rate limit */
import type { RequestHandler } from 'express'
import type { Clock } from '../../../lib/clock.ts'
import { type Bucket, fullBucket, takeOne } from '../../domain/delivery/rate.ts'
import { TooMany } from '../../domain/refusal.ts'
import type { KeyRates } from '../../store/key-rates.ts'
import { createSharedRate } from './shared-rate.ts'

export interface RateParts {
  /** Undefined sets no limit. */
  perMinute: number | undefined
  clock: Clock
  /** Where the instances on one store count together; null where there is one instance. */
  keyRates: Pick<KeyRates, 'take'> | null
}

/** Comes after authentication. */
export function rateLimit({ perMinute, clock, keyRates }: RateParts): RequestHandler {
  if (perMinute === undefined) return (_req, _res, next) => next()
  const take = keyRates ? createSharedRate(keyRates, perMinute, clock) : createOwnRate(perMinute, clock)
  return async (_req, res, next) => {
    const { operatorKey, caller = operatorKey } = res.locals
    const waitMs = caller ? await take(caller.keyId) : 0
    if (waitMs === 0) return next()
    const seconds = Math.ceil(waitMs / 1000)
    throw new TooMany(waitMs, `This key may make ${perMinute} requests per minute. Go on in ${seconds} s.`)
  }
}

/** Counts in memory. Returns a function that takes one request of a key, or gives the milliseconds to wait for one. */
function createOwnRate(perMinute: number, clock: Clock): (keyId: string) => number {
  const buckets = new Map<string, Bucket>()
  return (keyId) => {
    const now = clock.now()
    const { waitMs, bucket } = takeOne(buckets.get(keyId) ?? fullBucket(perMinute, now), perMinute, now)
    buckets.set(keyId, bucket)
    return waitMs
  }
}
