/** Why a delivery was cancelled, and whether it can be sent again. */
import type { Delivery } from '../../../operations/operator/messages/deliveries.ts'

export function EndedBy({ delivery: { state, subscriptionState } }: { delivery: Delivery }) {
  if (subscriptionState === 'active')
    return state === 'cancelled' ? <small>its subscription was inactive for a time</small> : null
  if (state !== 'cancelled' && state !== 'failed') return null
  return <small>{reasons[subscriptionState]}</small>
}

const reasons = {
  inactive: 'its subscription is inactive; it can be sent again once that is active',
  deleted: 'its subscription was deleted',
} as const
