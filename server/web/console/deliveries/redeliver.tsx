/** Sends deliveries again: the button for one of them, and the call for any. */
import { useState } from 'preact/hooks'
import type { Delivery, RedeliverBody } from '../../../operations/operator/messages/deliveries.ts'
import { act } from '../act.ts'

interface RedeliverProps {
  delivery: Pick<Delivery, 'id' | 'state'>
  onDone(): Promise<void>
}

export function Redeliver({ delivery: { id, state }, onDone }: RedeliverProps) {
  const [isBusy, setBusy] = useState(false)
  if (state === 'cancelled') return null
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
  act<{ count: number }>('POST', '/deliveries/redeliver', {
    body,
    done: ({ count }) => (count === 1 ? '1 delivery is sent again.' : `${count} deliveries are sent again.`),
    reload,
  })
