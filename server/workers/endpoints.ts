/** What this process knows of each receiver: how it is doing, and what is being sent to it. In memory; a new process finds out anew. */
import { afterAttempt, type Endpoint, type EndpointPolicy, freshEndpoint, isOverload } from '../domain/endpoint.ts'
import type { Load } from '../domain/lanes.ts'
import type { DueDelivery } from '../store/outbox.ts'
import type { Reply } from './post.ts'

export function createEndpoints(policy: EndpointPolicy) {
  const known = new Map<number, Endpoint>()
  const underWay = new Map<number, DueDelivery>()
  const endpointOf = (subscriptionId: number) => known.get(subscriptionId) ?? freshEndpoint(policy)
  const isRetry = ({ attemptNumber }: DueDelivery) => attemptNumber > 1

  return {
    loadOf(subscriptionId: number): Load {
      const mine = [...underWay.values()].filter((delivery) => delivery.subscriptionId === subscriptionId)
      return {
        endpoint: endpointOf(subscriptionId),
        underWay: mine.length,
        retriesUnderWay: mine.filter(isRetry).length,
      }
    },

    retriesUnderWay: (): number => [...underWay.values()].filter(isRetry).length,

    /** False when this very delivery is under way already. */
    begin(delivery: DueDelivery): boolean {
      if (underWay.has(delivery.id)) return false
      underWay.set(delivery.id, delivery)
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
