/** Limits how often something may happen, such as the requests of a key: a bucket that fills evenly and gives one to each. Pure. */

export interface Bucket {
  /** How many may happen at once. */
  left: number
  /** Milliseconds since 1970 of this count. */
  at: number
}

export const fullBucket = (perMinute: number, at: number): Bucket => ({ left: perMinute, at })

/** Milliseconds to wait before one may be taken, 0 when one was; and the bucket afterwards. */
export function takeOne({ left, at }: Bucket, perMinute: number, now: number): { waitMs: number; bucket: Bucket } {
  const filled = filledSince({ left, at }, perMinute, now)
  const waitMs = waitForOne(filled, perMinute)
  return { waitMs, bucket: { left: waitMs === 0 ? filled - 1 : filled, at: now } }
}

/** What a bucket holds now, and how long until it holds one. */
export function look(bucket: Bucket, perMinute: number, now: number): { whole: number; waitMs: number } {
  const filled = filledSince(bucket, perMinute, now)
  return { whole: Math.floor(filled), waitMs: waitForOne(filled, perMinute) }
}

/** A clock that was set back fills nothing and empties nothing. */
const filledSince = ({ left, at }: Bucket, perMinute: number, now: number): number =>
  Math.min(perMinute, left + (Math.max(0, now - at) * perMinute) / 60_000)

const waitForOne = (filled: number, perMinute: number): number =>
  filled >= 1 ? 0 : Math.ceil(((1 - filled) * 60_000) / perMinute)
