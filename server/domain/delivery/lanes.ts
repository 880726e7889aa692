/**
 * Which deliveries go next. Each subscription has a queue of two lanes: events never tried, and retries. Retries leave room
 * for first attempts, within a subscription and in all, so that old trouble does not delay new events. Organizations share
 * what is free, so that the trouble of one does not delay another. Pure.
 */
import { type Endpoint, type Finding, freeSlots } from './endpoint.ts'
import { share } from './share.ts'

/** When the oldest delivery of each lane is due, in ms since 1970; null where a lane is empty. */
export interface Queue {
  organizationId: number
  subscriptionId: number
  /** Represents the receiver's URL: another value whenever the URL changes. */
  address: string
  firstDue: number | null
  retryDue: number | null
  /** The number of due deliveries resent by hand: they are in one of the other lanes too. */
  manualDue: number | null
  /** The newest of any instance; null: there is none for this address. */
  finding: Finding | null
}

/** How many deliveries are taken from one lane. */
export interface Taking {
  subscriptionId: number
  lane: 'first' | 'retry' | 'manual'
  limit: number
}

export interface Load {
  endpoint: Endpoint
  underWay: number
  retriesUnderWay: number
  /** Attempts that the receiver's rate allows, and from when on it allows one, in ms since 1970; omitted without a limit. */
  rate?: { allowed: number; from: number } | undefined
}

/** Attempts, and how many of these are retries. */
export interface Attempts {
  all: number
  retries: number
}

export interface Choosing {
  now: number
  /** Attempts that may begin. */
  free: Attempts
  /** Returns the attempts under way for an organization. */
  heldBy(organizationId: number): Attempts
  /** Returns the state of the receiver, and how much is being sent to it. */
  loadOf(queue: Pick<Queue, 'subscriptionId' | 'address'>): Load
}

export function choose(queues: readonly Queue[], { now, free, heldBy, loadOf }: Choosing): Taking[] {
  const takings: Taking[] = []
  const { left, take } = places(free, heldBy)
  for (const { queue, load } of inTurn(queues, { heldBy, loadOf })) {
    const { subscriptionId, organizationId } = queue
    const { all, retries } = left(organizationId)
    const allowed = load.rate?.allowed ?? Number.POSITIVE_INFINITY
    const places = Math.min(all, allowed)
    const room = Math.min(freeSlots(load.endpoint, now, load.underWay), places)
    const hasFirst = isDue(queue.firstDue, now)
    const hasRetry = isDue(queue.retryDue, now)
    const forRetries = hasRetry ? Math.max(0, Math.min(room, allowance(load), retries)) : 0
    let isServed = false
    const takeFrom = (lane: Taking['lane'], limit: number) => {
      if (limit <= 0) return
      isServed = true
      takings.push({ subscriptionId, lane, limit })
      take(organizationId, { all: limit, retries: lane === 'retry' ? limit : 0 })
    }
    if (room === 0 || !hasFirst) takeFrom('retry', forRetries)
    else if (room > 1) {
      takeFrom('retry', Math.min(forRetries, Math.floor(room / 2)))
      takeFrom('first', room - Math.min(forRetries, Math.floor(room / 2)))
    }
    // With room for one, the lanes take turns.
    else takeFrom(forRetries > 0 && load.endpoint.turn % 2 === 1 ? 'retry' : 'first', 1)
    // A person who resends by hand knows more than a pause does: perhaps that the receiver has just been repaired.
    if (!isServed && isDue(queue.manualDue, now))
      takeFrom('manual', Math.min(load.endpoint.slots - load.underWay, places))
  }
  return takings
}

/** When there will be something to choose that there is room for, in ms since 1970, or null. */
export function nextChoice(
  queues: readonly Queue[],
  { free, heldBy, loadOf }: Pick<Choosing, 'free' | 'heldBy' | 'loadOf'>,
): number | null {
  const { left } = places(free, heldBy)
  const times = queues.flatMap((queue) => {
    const load = loadOf(queue)
    const { all, retries } = left(queue.organizationId)
    // A queue without room gets some when an attempt ends, which wakes the dispatcher by itself.
    if (all === 0 || freeSlots(load.endpoint, Number.POSITIVE_INFINITY, load.underWay) === 0) return []
    const due = oldest(retries > 0 && allowance(load) > 0 ? queue : { ...queue, retryDue: null })
    const from = load.rate?.from ?? 0
    const scheduled = due === Number.POSITIVE_INFINITY ? [] : [Math.max(due, load.endpoint.pausedUntil, from)]
    return queue.manualDue === null ? scheduled : [...scheduled, Math.max(queue.manualDue, from)]
  })
  return times.length === 0 ? null : Math.min(...times)
}

/** Tracks the remaining places for each organization while places are assigned. */
function places(free: Attempts, heldBy: Choosing['heldBy']) {
  const taken = new Map<number, Attempts>()
  let { all, retries } = free
  const heldNow = (organizationId: number): Attempts => taken.get(organizationId) ?? heldBy(organizationId)
  return {
    left(organizationId: number): Attempts {
      const held = heldNow(organizationId)
      return { all: share(all, held.all), retries: share(retries, held.retries) }
    },
    take(organizationId: number, more: Attempts): void {
      const held = heldNow(organizationId)
      taken.set(organizationId, { all: held.all + more.all, retries: held.retries + more.retries })
      all -= more.all
      retries -= more.retries
    },
  }
}

/** The idlest organization first, of its subscriptions the idlest, then who waits longest. */
function inTurn(queues: readonly Queue[], { heldBy, loadOf }: Pick<Choosing, 'heldBy' | 'loadOf'>) {
  return queues
    .map((queue) => ({ queue, load: loadOf(queue), held: heldBy(queue.organizationId).all }))
    .sort((a, b) => a.held - b.held || a.load.underWay - b.load.underWay || oldest(a.queue) - oldest(b.queue))
}

const oldest = ({ firstDue, retryDue }: Pick<Queue, 'firstDue' | 'retryDue'>) =>
  Math.min(firstDue ?? Number.POSITIVE_INFINITY, retryDue ?? Number.POSITIVE_INFINITY)
const isDue = (due: number | null, now: number) => due !== null && due <= now

/** How many retries a subscription may begin: some of its slots are left to first attempts. */
const allowance = ({ endpoint, retriesUnderWay }: Load) => Math.max(1, endpoint.slots - RESERVED) - retriesUnderWay
const RESERVED = 2
