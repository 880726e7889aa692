/** Why a delivery was cancelled, and whether it can be sent again. */
import type { Delivery } from '../../../operations/operator/messages/deliveries.ts'
import { t } from '../../words/words.ts'

export function EndedBy({ delivery: { state, subscriptionState } }: { delivery: Delivery }) {
  if (subscriptionState === 'active') return state === 'cancelled' ? <small>{t('delivery.wasInactive')}</small> : null
  if (state !== 'cancelled' && state !== 'failed') return null
  return <small>{reasons[subscriptionState]}</small>
}

const reasons = {
  inactive: t('delivery.isInactive'),
  deleted: t('delivery.wasDeleted'),
}
