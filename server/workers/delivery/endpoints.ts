/**
 * This process's knowledge of each receiver: how it is doing, what is being sent to it, and how often. In memory; findings go
 * to the other processes through the store, and are forgotten when a subscription moves to another address.
 */
import type { EndpointPolicy } from '../../domain/delivery/endpoint.ts'
import type { Attempts, Load } from '../../domain/delivery/lanes.ts'
import { type Bucket, fullBucket, look, takeOne } from '../../domain/delivery/rate.ts'
import type { DueDelivery } from '../../store/delivery/due.ts'
import { createKnownReceivers, type Receiver } from './known-receivers.ts'

export type Endpoints = ReturnType<typeof createEndpoints>

/** @param perMinute attempts that each receiver gets in a minute at most; optional, no limit by default */
export function createEndpoints(policy: EndpointPolicy, now: () => number, perMinute?: number) {
  const receivers = createKnownReceivers(policy, now)
  const buckets = new Map<number, Bucket>()
  const underWay = new Map<number, DueDelivery>()
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
        endpoint: receivers.endpointOf(receiver),
        underWay: mine.length,
        retriesUnderWay: mine.filter(isRetry).length,
        rate: rateOf(subscriptionId),
      }
    },

    /** Returns the attempts under way in all. */
    underWay: (): Attempts => counted([...underWay.values()]),

    /** Returns the attempts under way for an organization. */
    heldBy: (organizationId: number): Attempts =>
      counted([...underWay.values()].filter((delivery) => delivery.organizationId === organizationId)),

    /** Counts a delivery as under way; false when it already was. */
    begin(delivery: DueDelivery): boolean {
      if (underWay.has(delivery.id)) return false
      underWay.set(delivery.id, delivery)
      receivers.begin(delivery)
      const { subscriptionId } = delivery
      if (perMinute !== undefined) {
        buckets.set(subscriptionId, takeOne(bucketOf(subscriptionId, perMinute), perMinute, now()).bucket)
      }
      return true
    },

    /** Forgets all but what is under way. */
    forget(): void {
      receivers.forget()
      buckets.clear()
    },

    hear: receivers.hear,
    learn: receivers.learn,

    end({ id }: DueDelivery): void {
      underWay.delete(id)
    },
  }
}
