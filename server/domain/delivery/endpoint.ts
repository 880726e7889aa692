/**
 * How a receiver is doing, and how much it is given: fewer calls at once when it is overloaded, none for a while when it is
 * down. It is about one subscription, so that a dead receiver takes nothing from a healthy one. Pure: times are arguments.
 */
import { grown } from '../../../lib/back-off.ts'

export interface EndpointPolicy {
  /** Attempts at once while all is well. */
  slots: number
  /** The breaker opens when of at least `breakerAttempts` within `windowMs` the share `breakerShare` failed. */
  windowMs: number
  breakerAttempts: number
  breakerShare: number
  /** How long it stays open: the first time, and at most; each probe that fails doubles it. */
  openMs: number
  maxOpenMs: number
  /** How long an overloaded receiver is left alone when it does not say, and at most when it does. */
  pauseMs: number
  maxPauseMs: number
}

export interface Endpoint {
  /** The newest attempts of the window, oldest first. */
  recent: readonly { at: number; failed: boolean }[]
  /** Attempts at once, as many as the receiver copes with now. */
  slots: number
  /** Nothing is sent from `pausedFrom` until `pausedUntil`, in ms since 1970. */
  pausedFrom: number
  pausedUntil: number
  /** How often the breaker opened since the last success; 0 while it is closed. */
  openings: number
  /** Counts attempts. */
  turn: number
  /** When the newest finding was made, in ms since 1970; 0: there is none. */
  foundAt: number
}

/** A message between instances of the service about a receiver: that it is paused, or works again. */
export interface Finding extends Pick<Endpoint, 'slots' | 'pausedFrom' | 'pausedUntil' | 'openings'> {
  at: number
}

export interface EndpointResult {
  at: number
  failed: boolean
  /** It answered 429, 502, 503 or 504, or not in time: more of the same would make it worse. */
  isOverloaded: boolean
  retryAfterMs: number | null
}

export const freshEndpoint = ({ slots }: EndpointPolicy): Endpoint => ({
  recent: [],
  slots,
  pausedFrom: 0,
  pausedUntil: 0,
  openings: 0,
  turn: 0,
  foundAt: 0,
})

/** The statuses by which a receiver says that it has too much to do. */
export const isOverload = (status: number | null): boolean => status !== null && [429, 502, 503, 504].includes(status)

export function afterAttempt(endpoint: Endpoint, result: EndpointResult, policy: EndpointPolicy): Endpoint {
  const { at, failed } = result
  const turn = endpoint.turn + 1
  if (endpoint.openings > 0) {
    // An attempt that began before the breaker opened proves nothing new by failing.
    if (failed) return isPaused(endpoint, at) ? { ...endpoint, turn } : opened({ ...endpoint, turn }, at, policy)
    return { ...freshEndpoint(policy), slots: 1, turn, foundAt: at }
  }
  const recent = [...endpoint.recent.filter((one) => one.at > at - policy.windowMs), { at, failed }].slice(-KEPT)
  const counted = { ...endpoint, recent, turn }
  if (!failed) return { ...counted, slots: Math.min(policy.slots, endpoint.slots + 1) }
  const failures = recent.filter((one) => one.failed).length
  if (recent.length >= policy.breakerAttempts && failures / recent.length >= policy.breakerShare)
    return opened(counted, at, policy)
  return result.isOverloaded ? slowed(counted, result, policy) : counted
}

/** Returns what the others should know since `before`, or null. */
export function findingSince(before: Endpoint, { foundAt: at, ...endpoint }: Endpoint): Finding | null {
  if (at === before.foundAt) return null
  const { slots, pausedFrom, pausedUntil, openings } = endpoint
  return { at, slots, pausedFrom, pausedUntil, openings }
}

/**
 * Takes over what another instance found, unless something newer is known. Its clock may differ: the pause is on at once, and
 * lasts no longer than pauses do.
 */
export function afterFinding(
  endpoint: Endpoint,
  { at, slots, pausedFrom, pausedUntil, openings }: Finding,
  now: number,
  { maxOpenMs, maxPauseMs }: EndpointPolicy,
): Endpoint {
  if (at <= endpoint.foundAt) return endpoint
  return {
    ...endpoint,
    recent: openings > 0 || endpoint.openings > 0 ? [] : endpoint.recent,
    slots,
    openings,
    pausedFrom: Math.min(pausedFrom, now),
    pausedUntil: Math.min(pausedUntil, now + Math.max(maxOpenMs, maxPauseMs)),
    foundAt: at,
  }
}

/** Returns how many more attempts may begin, given how many are under way. */
export function freeSlots(endpoint: Endpoint, now: number, underWay: number): number {
  if (isPaused(endpoint, now)) return 0
  return Math.max(0, (endpoint.openings > 0 ? 1 : endpoint.slots) - underWay)
}

/** A clock that was set back ends a pause: it would last for as long as the clock was wrong. */
const isPaused = ({ pausedFrom, pausedUntil }: Endpoint, now: number) => now >= pausedFrom && now < pausedUntil

const opened = (endpoint: Endpoint, at: number, { openMs, maxOpenMs }: EndpointPolicy): Endpoint => ({
  ...endpoint,
  recent: [],
  foundAt: at,
  openings: endpoint.openings + 1,
  pausedFrom: at,
  pausedUntil: at + grown({ firstMs: openMs, longestMs: maxOpenMs }, endpoint.openings + 1),
})

function slowed(endpoint: Endpoint, { at, retryAfterMs }: EndpointResult, policy: EndpointPolicy): Endpoint {
  const pause = Math.min(Math.max(retryAfterMs ?? 0, policy.pauseMs), policy.maxPauseMs)
  return {
    ...endpoint,
    foundAt: at,
    slots: Math.max(1, Math.floor(endpoint.slots / 2)),
    pausedFrom: at,
    pausedUntil: isPaused(endpoint, at) ? Math.max(endpoint.pausedUntil, at + pause) : at + pause,
  }
}

/** How many attempts of the window are kept: enough to judge a receiver that gets many calls. */
const KEPT = 100
