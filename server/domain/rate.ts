/** How many requests a key may make: a bucket that fills evenly, and from which each request takes one. Pure. */

export interface Bucket {
  /** Requests that may be made at once. */
  left: number
  /** Milliseconds since 1970 of this count. */
  at: number
}

export const fullBucket = (perMinute: number, at: number): Bucket => ({ left: perMinute, at })

/** Milliseconds to wait before one may be taken, 0 when one was; and the bucket afterwards. */
export function takeOne({ left, at }: Bucket, perMinute: number, now: number): { waitMs: number; bucket: Bucket } {
  const perMs = perMinute / 60_000
  // A clock that was set back fills nothing and empties nothing.
  const filled = Math.min(perMinute, left + Math.max(0, now - at) * perMs)
  if (filled >= 1) return { waitMs: 0, bucket: { left: filled - 1, at: now } }
  return { waitMs: Math.ceil((1 - filled) / perMs), bucket: { left: filled, at: now } }
}
