/** What the timeline and the list of deliveries share: the outcome in words, and the button that sends again. */
import { useState } from 'preact/hooks'
import type { Attempt, Delivery, RedeliverBody } from '../../../operations/operator/messages/deliveries.ts'
import { announce } from '../../shared/announce.tsx'
import { call, sentenceOf } from '../../shared/api.ts'

const outcomes: Record<Attempt['outcome'], string> = {
  delivered: 'delivered',
  http: 'refused',
  timeout: 'no answer in time',
  connection: 'no connection',
  dns: 'name not found',
  tls: 'certificate not accepted',
  blocked_target: 'address not allowed',
}

export const outcomeOf = ({ outcome, status }: Attempt): string =>
  status === null ? outcomes[outcome] : `${outcomes[outcome]}, answer ${status}`

export async function redeliver(body: RedeliverBody): Promise<void> {
  try {
    const { count } = await call<{ count: number }>('POST', '/admin/v1/deliveries/redeliver', body)
    announce(count === 1 ? '1 delivery is sent again.' : `${count} deliveries are sent again.`)
  } catch (failure) {
    announce(sentenceOf(failure), 'wrong')
  }
}

interface RedeliverProps {
  delivery: Pick<Delivery, 'id' | 'state'>
  onDone(): Promise<void>
}

export function Redeliver({ delivery: { id, state }, onDone }: RedeliverProps) {
  const [isBusy, setBusy] = useState(false)
  if (state === 'cancelled') return null
  const again = async () => {
    setBusy(true)
    await redeliver({ deliveryId: id })
    await onDone()
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
