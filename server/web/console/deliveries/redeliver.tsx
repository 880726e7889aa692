/** Sends deliveries again: the button for one of them, and the call for any. */
import { useState } from 'preact/hooks'
import type { Delivery, RedeliverBody, Redelivered } from '../../../operations/operator/messages/deliveries.ts'
import { t } from '../../words/words.ts'
import { act } from '../act.ts'
import { outcomeOf } from './attempts.tsx'

interface RedeliverProps {
  delivery: Pick<Delivery, 'id' | 'subscriptionState'>
  onDone(): Promise<void>
}

export function Redeliver({ delivery: { id, subscriptionState }, onDone }: RedeliverProps) {
  const [isBusy, setBusy] = useState(false)
  // Only an active subscription receives; alongside the state of the delivery is why it does not.
  if (subscriptionState !== 'active') return null
  const again = async () => {
    setBusy(true)
    await redeliver({ deliveryId: id }, onDone)
    setBusy(false)
  }
  return (
    <button
      type="button"
      class="small"
      disabled={isBusy}
      aria-label={t('resend.of', { id: String(id) })}
      onClick={() => void again()}
    >
      {t('resend.again')}
    </button>
  )
}

function resent({ count: sent, next, attempt }: Redelivered): string {
  if (attempt === null) return t('resend.unanswered')
  if (attempt) return t('resend.sent', { outcome: outcomeOf(attempt) })
  if (sent === 0) return t('resend.none')
  const more = next === null ? '' : ` ${t('resend.more')}`
  return t('resend.goingOut', { count: sent }) + more
}

export const redeliver = (body: RedeliverBody, reload: () => Promise<void>) =>
  act<Redelivered>('POST', '/deliveries/redeliver', {
    body,
    done: resent,
    reload,
  })
