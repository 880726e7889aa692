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

/**
 * Takes whole ones, `most` at most, from a bucket that instances share. Their clocks differ a little, so the time of the count
 * never goes back; one that lies further ahead than a bucket takes to fill was written by a clock that was wrong.
 */
export function takeSome(
  bucket: Bucket,
  perMinute: number,
  now: number,
  most: number,
): { taken: number; waitMs: number; bucket: Bucket } {
  const at = bucket.at > now && bucket.at <= now + FILLS_IN_MS ? bucket.at : now
  const filled = filledSince(bucket, perMinute, at)
  const taken = Math.min(most, Math.floor(filled))
  const waitMs = taken > 0 ? 0 : waitForOne(filled, perMinute) + at - now
  return { taken, waitMs, bucket: { left: filled - taken, at } }
}

/** A bucket that is not used is full after this time. */
export const FILLS_IN_MS = 60_000

/** Returns the whole tokens that a bucket holds now, and the time until it holds one. */
export function look(bucket: Bucket, perMinute: number, now: number): { whole: number; waitMs: number } {
  const filled = filledSince(bucket, perMinute, now)
  return { whole: Math.floor(filled), waitMs: waitForOne(filled, perMinute) }
}

/** A clock that was set back fills nothing and empties nothing. */
const filledSince = ({ left, at }: Bucket, perMinute: number, now: number): number =>
  Math.min(perMinute, left + (Math.max(0, now - at) * perMinute) / FILLS_IN_MS)

const waitForOne = (filled: number, perMinute: number): number =>
  filled >= 1 ? 0 : Math.ceil(((1 - filled) * FILLS_IN_MS) / perMinute)
