/** Sends deliveries again: the button for one of them, and the call for any. */
import { useState } from 'preact/hooks'
import type { Delivery, RedeliverBody, Redelivered } from '../../../operations/operator/messages/deliveries.ts'
import { count } from '../../shared/format.ts'
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
      aria-label={`Send again: delivery ${id}`}
      onClick={() => void again()}
    >
      Send again
    </button>
  )
}

function resent({ count: sent, next, attempt }: Redelivered): string {
  if (attempt === null) return 'Sent; the receiver has not answered yet.'
  if (attempt) return `Sent: ${outcomeOf(attempt)}.`
  if (sent === 0) return 'Nothing to resend.'
  const more = next === null ? '' : ' There are more: resend again when these have gone out.'
  return `${count(sent, 'callback')} ${sent === 1 ? 'is' : 'are'} going out now.${more}`
}

export const redeliver = (body: RedeliverBody, reload: () => Promise<void>) =>
  act<Redelivered>('POST', '/deliveries/redeliver', {
    body,
    done: resent,
    reload,
  })
