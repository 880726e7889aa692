/** Sends deliveries again: the button for one of them, and the call for any. */
import { useState } from 'preact/hooks'
import type { Delivery, RedeliverBody, Redelivered } from '../../../operations/operator/messages/deliveries.ts'
import { act } from '../act.ts'

interface RedeliverProps {
  delivery: Pick<Delivery, 'id' | 'subscriptionState'>
  onDone(): Promise<void>
}

export function Redeliver({ delivery: { id, subscriptionState }, onDone }: RedeliverProps) {
  const [isBusy, setBusy] = useState(false)
  // Only an active subscription receives; beside the state of the delivery stands why it does not.
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

export const redeliver = (body: RedeliverBody, reload: () => Promise<void>) =>
  act<Redelivered>('POST', '/deliveries/redeliver', {
    body,
    done: ({ count, next }) =>
      `${count === 1 ? '1 delivery is' : `${count} deliveries are`} sent again.${next === null ? '' : ' There are more.'}`,
    reload,
  })
