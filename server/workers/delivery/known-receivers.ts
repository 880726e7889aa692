/** How each receiver is doing, as far as this process knows: in memory. What it finds out goes to the others through the store. */
import {
  afterAttempt,
  afterFinding,
  type Endpoint,
  type EndpointPolicy,
  type Finding,
  findingSince,
  freshEndpoint,
  isOverload,
} from '../../domain/delivery/endpoint.ts'
import type { Queue } from '../../domain/delivery/lanes.ts'
import type { DueDelivery } from '../../store/delivery/due.ts'
import type { Reply } from './reply.ts'

export type Receiver = Pick<Queue, 'subscriptionId' | 'address'>

export function createKnownReceivers(policy: EndpointPolicy, now: () => number) {
  const known = new Map<number, { address: string; endpoint: Endpoint }>()

  function endpointOf({ subscriptionId, address }: Receiver): Endpoint {
    const newest = known.get(subscriptionId)
    return newest?.address === address ? newest.endpoint : freshEndpoint(policy)
  }

  return {
    endpointOf,
    forget: () => known.clear(),

    /** Takes over what other processes found out. */
    hear(queues: readonly Queue[]): void {
      for (const queue of queues) {
        const { subscriptionId, address, finding } = queue
        if (finding === null) continue
        known.set(subscriptionId, { address, endpoint: afterFinding(endpointOf(queue), finding, now(), policy) })
      }
    },

    /** From now on it is this address of the subscription that is learned of. */
    begin({ subscriptionId, address }: Receiver): void {
      known.set(subscriptionId, { address, endpoint: endpointOf({ subscriptionId, address }) })
    },

    /**
     * Learns from how an attempt ended, and returns what the other processes should know, or null. What was sent to an earlier
     * address says nothing of the present one.
     */
    learn(delivery: DueDelivery, { outcome, status, retryAfterMs }: Reply, at: Date): Finding | null {
      const failed = outcome !== 'delivered'
      const isOverloaded = outcome === 'timeout' || isOverload(status)
      const result = { at: at.getTime(), failed, isOverloaded, retryAfterMs }
      const newest = known.get(delivery.subscriptionId)
      if (newest?.address !== delivery.address) return null
      const before = newest.endpoint
      newest.endpoint = afterAttempt(before, result, policy)
      return findingSince(before, newest.endpoint)
    },
  }
}
