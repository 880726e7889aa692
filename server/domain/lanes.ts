/**
 * Which deliveries go next. Each subscription has a queue of two lanes: events never tried, and retries. Retries leave room
 * for first attempts, within a subscription and in all, so that old trouble does not delay new events. Pure.
 */
import { type Endpoint, freeSlots } from './endpoint.ts'

/** When the oldest delivery of each lane is due, in ms since 1970; null where a lane is empty. */
export interface Queue {
  subscriptionId: number
  firstDue: number | null
  retryDue: number | null
}

/** How many deliveries are taken from one lane. */
export interface Taking {
  subscriptionId: number
  lane: 'first' | 'retry'
  limit: number
}

export interface Load {
  endpoint: Endpoint
  underWay: number
  retriesUnderWay: number
  /** Attempts that the receiver's rate allows, and from when on it allows one, in ms since 1970; left out without a limit. */
  rate?: { allowed: number; from: number } | undefined
}

export interface Choosing {
  now: number
  /** Attempts that may begin, and how many of these may be retries. */
  free: { all: number; retries: number }
  loadOf(subscriptionId: number): Load
}

export function choose(queues: readonly Queue[], { now, free, loadOf }: Choosing): Taking[] {
  const takings: Taking[] = []
  let { all, retries } = free
  const take = (subscriptionId: number, lane: Taking['lane'], limit: number) => {
    if (limit <= 0) return
    takings.push({ subscriptionId, lane, limit })
    all -= limit
    if (lane === 'retry') retries -= limit
  }
  for (const { queue, load } of inTurn(queues, loadOf)) {
    const allowed = load.rate?.allowed ?? Number.POSITIVE_INFINITY
    const room = Math.min(freeSlots(load.endpoint, now, load.underWay), all, allowed)
    if (room === 0) continue
    const { subscriptionId } = queue
    const hasFirst = isDue(queue.firstDue, now)
    const hasRetry = isDue(queue.retryDue, now)
    const allowance = Math.max(1, load.endpoint.slots - RESERVED) - load.retriesUnderWay
    const forRetries = hasRetry ? Math.max(0, Math.min(room, allowance, retries)) : 0
    if (!hasFirst) take(subscriptionId, 'retry', forRetries)
    else if (room > 1) {
      take(subscriptionId, 'retry', Math.min(forRetries, Math.floor(room / 2)))
      take(subscriptionId, 'first', room - Math.min(forRetries, Math.floor(room / 2)))
    }
    // With room for one, the lanes take turns.
    else take(subscriptionId, forRetries > 0 && load.endpoint.turn % 2 === 1 ? 'retry' : 'first', 1)
  }
  return takings
}

/** When there will be something to choose that there is room for, in ms since 1970, or null. */
export function nextChoice(queues: readonly Queue[], { loadOf }: Pick<Choosing, 'loadOf'>): number | null {
  const times = queues.flatMap((queue) => {
    const { endpoint, underWay, rate } = loadOf(queue.subscriptionId)
    // What has no room now gets some when an attempt ends, which wakes the dispatcher by itself.
    if (freeSlots(endpoint, Number.POSITIVE_INFINITY, underWay) === 0) return []
    return Math.max(oldest(queue), endpoint.pausedUntil, rate?.from ?? 0)
  })
  return times.length === 0 ? null : Math.min(...times)
}

/** The idlest subscription first, then who waits longest. */
function inTurn(queues: readonly Queue[], loadOf: Choosing['loadOf']) {
  return queues
    .map((queue) => ({ queue, load: loadOf(queue.subscriptionId) }))
    .sort((a, b) => a.load.underWay - b.load.underWay || oldest(a.queue) - oldest(b.queue))
}

const oldest = ({ firstDue, retryDue }: Queue) =>
  Math.min(firstDue ?? Number.POSITIVE_INFINITY, retryDue ?? Number.POSITIVE_INFINITY)
const isDue = (due: number | null, now: number) => due !== null && due <= now

/** Slots of a subscription that retries leave to first attempts. */
const RESERVED = 2
