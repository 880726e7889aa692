/**
 * What this process knows of each receiver: how it is doing, what is being sent to it, and how often. In memory; a new process
 * finds out anew, and so does each when a subscription moves to another address.
 */
import {
  afterAttempt,
  type Endpoint,
  type EndpointPolicy,
  freshEndpoint,
  isOverload,
} from '../../domain/delivery/endpoint.ts'
import type { Attempts, Load, Queue } from '../../domain/delivery/lanes.ts'
import { type Bucket, fullBucket, look, takeOne } from '../../domain/delivery/rate.ts'
import type { DueDelivery } from '../../store/delivery/due.ts'
import type { Reply } from './reply.ts'

type Receiver = Pick<Queue, 'subscriptionId' | 'address'>

export type Endpoints = ReturnType<typeof createEndpoints>

/** @param perMinute attempts that each receiver gets in a minute at most; no limit when left out */
export function createEndpoints(policy: EndpointPolicy, now: () => number, perMinute?: number) {
  const known = new Map<number, { address: string; endpoint: Endpoint }>()
  const buckets = new Map<number, Bucket>()
  const underWay = new Map<number, DueDelivery>()
  function endpointOf({ subscriptionId, address }: Receiver): Endpoint {
    const newest = known.get(subscriptionId)
    return newest?.address === address ? newest.endpoint : freshEndpoint(policy)
  }
  const isRetry = ({ attemptNumber }: DueDelivery) => attemptNumber > 1
  const counted = (some: readonly DueDelivery[]) => ({ all: some.length, retries: some.filter(isRetry).length })

  function rateOf(subscriptionId: number): Load['rate'] {
    if (perMinute === undefined) return undefined
    const { whole, waitMs } = look(bucketOf(subscriptionId, perMinute), perMinute, now())
    return { allowed: whole, from: now() + waitMs }
  }

  const bucketOf = (subscriptionId: number, perMinute: number): Bucket =>
    buckets.get(subscriptionId) ?? fullBucket(perMinute, now())

  return {
    loadOf(receiver: Receiver): Load {
      const { subscriptionId, address } = receiver
      const toIt = (delivery: DueDelivery) => delivery.subscriptionId === subscriptionId && delivery.address === address
      const mine = [...underWay.values()].filter(toIt)
      return {
        endpoint: endpointOf(receiver),
        underWay: mine.length,
        retriesUnderWay: mine.filter(isRetry).length,
        rate: rateOf(subscriptionId),
      }
    },

    /** What is under way in all. */
    underWay: (): Attempts => counted([...underWay.values()]),

    /** What is under way for an organization. */
    heldBy: (organizationId: number): Attempts =>
      counted([...underWay.values()].filter((delivery) => delivery.organizationId === organizationId)),

    /** Counts a delivery as under way; false when it already was. */
    begin(delivery: DueDelivery): boolean {
      if (underWay.has(delivery.id)) return false
      underWay.set(delivery.id, delivery)
      const { subscriptionId, address } = delivery
      known.set(subscriptionId, { address, endpoint: endpointOf(delivery) })
      if (perMinute !== undefined) {
        buckets.set(subscriptionId, takeOne(bucketOf(subscriptionId, perMinute), perMinute, now()).bucket)
      }
      return true
    },

    /** Learns from how an attempt ended. What was sent to an earlier address says nothing of the present one. */
    learn(delivery: DueDelivery, { outcome, status, retryAfterMs }: Reply, at: Date): void {
      const failed = outcome !== 'delivered'
      const isOverloaded = outcome === 'timeout' || isOverload(status)
      const result = { at: at.getTime(), failed, isOverloaded, retryAfterMs }
      const newest = known.get(delivery.subscriptionId)
      if (newest?.address === delivery.address) newest.endpoint = afterAttempt(newest.endpoint, result, policy)
    },

    end({ id }: DueDelivery): void {
      underWay.delete(id)
    },
  }
}
