/** When a delivery goes out next, and what it waits for. */
import type { Delivery } from '../../../operations/operator/messages/deliveries.ts'
import { localTime } from '../../shared/format.ts'
import { t } from '../../words/words.ts'

export function NextAttempt({ delivery: { nextAttemptAt, heldBy } }: { delivery: Delivery }) {
  if (!nextAttemptAt) return null
  if (!heldBy) return <small>{t('delivery.next', { time: localTime(nextAttemptAt) })}</small>
  const key = heldBy.reason === 'down' ? 'delivery.pausedDown' : 'delivery.pausedBusy'
  return <small>{t(key, { time: localTime(heldBy.until) })}</small>
}
