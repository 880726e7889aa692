/** Holds each key to its number of requests per minute: more is 429, with the time to wait. choice: Rate limit */
import type { RequestHandler } from 'express'
import type { Clock } from '../../../lib/clock.ts'
import { type Bucket, fullBucket, takeOne } from '../../domain/delivery/rate.ts'
import { TooMany } from '../../domain/refusal.ts'

/** Comes after authentication. Counts in this process only; `perMinute` undefined sets no limit. */
export function rateLimit(perMinute: number | undefined, clock: Clock): RequestHandler {
  const buckets = new Map<string, Bucket>()
  return (_req, res, next) => {
    const { operatorKey, caller = operatorKey } = res.locals
    if (perMinute === undefined || !caller) return next()
    const now = clock.now()
    const { waitMs, bucket } = takeOne(buckets.get(caller.keyId) ?? fullBucket(perMinute, now), perMinute, now)
    buckets.set(caller.keyId, bucket)
    if (waitMs === 0) return next()
    const seconds = Math.ceil(waitMs / 1000)
    throw new TooMany(waitMs, `This key may make ${perMinute} requests per minute. Go on in ${seconds} s.`)
  }
}
