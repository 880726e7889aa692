/**
 * How fast a host takes calls, as its answers show: a bucket of tokens, endless until the host refuses for the first time. From
 * then on it fills at the rate at which the host has let calls through, a little faster with each call that waited and passed.
 * Pure.
 */
export interface Bucket {
  /** Calls per millisecond; null as long as the host has refused none. */
  readonly rate: number | null
  /** Calls that may be sent at `at`. */
  readonly tokens: number
  /** Milliseconds since 1970; until then nothing is sent. */
  readonly at: number
  /** Since when calls are counted, and how many the host has let through since. */
  readonly since: number
  readonly passed: number
  /** How often in a row the host asked to wait, and when the first time of these was. */
  readonly refusals: number
  readonly refusedSince: number
}

export const newBucket = (now: number): Bucket => ({
  rate: null,
  tokens: 0,
  at: now,
  since: now,
  passed: 0,
  refusals: 0,
  refusedSince: 0,
})

/** A longer window says too little about now; after a minute of rest a host accepts a minute's worth at once. */
const MINUTE_MS = 60_000

/** Calls keep no larger distance of their own accord: a host that wants more says so with each refusal. */
const LARGEST_GAP_MS = 10_000

/** How much the rate grows with each call that waited and passed: it has doubled after about 35 of them. */
const GROWTH = 1.02

/** Milliseconds until the next call, or the one that is `place` calls behind it, may be sent; 0 when it may be sent now. */
export function waitMs(bucket: Bucket, now: number, place = 0): number {
  const { rate, tokens, at } = filled(bucket, now)
  const short = rate === null ? 0 : Math.max(0, place + 1 - tokens) / rate
  return Math.ceil(Math.max(0, at - now) + short)
}

/** A call is sent. */
export function spent(bucket: Bucket, now: number): Bucket {
  const { tokens, ...rest } = filled(bucket, now)
  const isOld = now - bucket.since > MINUTE_MS
  // After a rest, a refusal is the first of others.
  const isRested = now - bucket.at > MINUTE_MS
  return {
    ...rest,
    tokens: Math.max(0, tokens - 1),
    ...(isOld && { since: now, passed: 0 }),
    ...(isRested && { refusals: 0 }),
  }
}

/** The host took a call that was sent at `sentAt`. */
export function letThrough(bucket: Bucket, sentAt: number, hasWaited: boolean): Bucket {
  const { rate, passed, since } = bucket
  return {
    ...bucket,
    refusals: 0,
    passed: sentAt < since ? passed : passed + 1,
    rate: rate !== null && hasWaited ? rate * GROWTH : rate,
  }
}

/** The host is busy: it took no call at any rate, and wants none for `pauseMs`. */
export function paused(bucket: Bucket, now: number, pauseMs: number): Bucket {
  const { refusals, refusedSince, at } = bucket
  const until = Math.max(at, now + pauseMs)
  const isNew = refusals === 0
  return {
    ...bucket,
    tokens: 1,
    at: until,
    since: until,
    passed: 0,
    refusals: isNew ? 1 : refusals + 1,
    refusedSince: isNew ? now : refusedSince,
  }
}

/** The host refused a call that was sent at `sentAt`, because there were too many, and wants none for `pauseMs`. */
export function refused(bucket: Bucket, sentAt: number, now: number, pauseMs: number): Bucket {
  const { rate, passed, since } = bucket
  const after = paused(bucket, now, pauseMs)
  // Calls that were under way together are refused together: the first refusal has said it all.
  if (sentAt < since) return after
  // The host takes as many in the pause as before it, and none more: this is its rate.
  const shown = passed > 0 ? passed / (after.at - since) : (rate ?? 1 / pauseMs)
  return { ...after, rate: Math.max(shown, 1 / LARGEST_GAP_MS) }
}

function filled(bucket: Bucket, now: number): Bucket {
  const { rate, tokens, at } = bucket
  if (rate === null || now < at) return bucket
  return { ...bucket, tokens: Math.min(Math.max(1, rate * MINUTE_MS), tokens + (now - at) * rate), at: now }
}
