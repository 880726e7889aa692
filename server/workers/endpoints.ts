/** What this process knows of each receiver: how it is doing, what is being sent to it, and how often. In memory; a new process finds out anew. */
import {
  afterAttempt,
  type Endpoint,
  type EndpointPolicy,
  freshEndpoint,
  isOverload,
} from '../domain/delivery/endpoint.ts'
import type { Attempts, Load } from '../domain/delivery/lanes.ts'
import { type Bucket, fullBucket, look, takeOne } from '../domain/delivery/rate.ts'
import type { DueDelivery } from '../store/delivery/due.ts'
import type { Reply } from './post.ts'

/** @param perMinute attempts that each receiver gets in a minute at most; no limit when left out */
export function createEndpoints(policy: EndpointPolicy, now: () => number, perMinute?: number) {
  const known = new Map<number, Endpoint>()
  const buckets = new Map<number, Bucket>()
  const underWay = new Map<number, DueDelivery>()
  const endpointOf = (subscriptionId: number) => known.get(subscriptionId) ?? freshEndpoint(policy)
  const isRetry = ({ attemptNumber }: DueDelivery) => attemptNumber > 1
  const counted = (some: readonly DueDelivery[]) => ({ all: some.length, retries: some.filter(isRetry).length })

  function rateOf(subscriptionId: number): Load['rate'] {
    const bucket = buckets.get(subscriptionId)
    if (perMinute === undefined) return undefined
    const { whole, waitMs } = look(bucket ?? fullBucket(perMinute, now()), perMinute, now())
    return { allowed: whole, from: now() + waitMs }
  }

  return {
    loadOf(subscriptionId: number): Load {
      const mine = [...underWay.values()].filter((delivery) => delivery.subscriptionId === subscriptionId)
      return {
        endpoint: endpointOf(subscriptionId),
        underWay: mine.length,
        retriesUnderWay: mine.filter(isRetry).length,
        rate: rateOf(subscriptionId),
      }
    },

    underWay: (): Attempts => counted([...underWay.values()]),

    heldBy: (organizationId: number): Attempts =>
      counted([...underWay.values()].filter((delivery) => delivery.organizationId === organizationId)),

    /** False when this very delivery is under way already. */
    begin(delivery: DueDelivery): boolean {
      if (underWay.has(delivery.id)) return false
      underWay.set(delivery.id, delivery)
      const { subscriptionId } = delivery
      if (perMinute !== undefined) {
        const bucket = buckets.get(subscriptionId) ?? fullBucket(perMinute, now())
        buckets.set(subscriptionId, takeOne(bucket, perMinute, now()).bucket)
      }
      return true
    },

    /** Learns from how an attempt ended. */
    note({ subscriptionId }: DueDelivery, { outcome, status, retryAfterMs }: Reply, at: Date): void {
      const failed = outcome !== 'delivered'
      const isOverloaded = outcome === 'timeout' || isOverload(status)
      const result = { at: at.getTime(), failed, isOverloaded, retryAfterMs }
      known.set(subscriptionId, afterAttempt(endpointOf(subscriptionId), result, policy))
    },

    end: ({ id }: DueDelivery): boolean => underWay.delete(id),
  }
}
