/** Sends again all that ended without success: what failed, what was cancelled with its subscription, or both. */
import { useState } from 'preact/hooks'
import type { Delivery } from '../../../operations/operator/messages/deliveries.ts'
import { Filter } from '../filter.tsx'
import { redeliver } from './redeliver.tsx'

const DAY_MS = 24 * 60 * 60 * 1000
/** When the events happened. It takes three days of attempts until a delivery has failed, so shorter spans would find little. */
const spans = [
  [`${DAY_MS}`, 'the last day'],
  [`${7 * DAY_MS}`, 'the last week'],
  [`${30 * DAY_MS}`, 'the last 30 days'],
] as const

const kinds = [
  ['failed', 'Failed'],
  ['cancelled', 'Cancelled'],
  ['failed,cancelled', 'Failed and cancelled'],
] as const

interface RedeliverEndedProps {
  /** Only what goes to this one; null for all. */
  subscriptionId: number | null
  onDone(): Promise<void>
}

export function RedeliverEnded({ subscriptionId, onDone }: RedeliverEndedProps) {
  const [spanMs, setSpanMs] = useState<string>(spans[1][0])
  const [kind, setKind] = useState<string>(kinds[0][0])
  const send = () => {
    const since = new Date(Date.now() - Number(spanMs)).toISOString()
    return redeliver({ since, states: kind.split(',') as Delivery['state'][], subscriptionId }, onDone)
  }
  return (
    <div class="bulk">
      <Filter label="All that are" value={kind} options={kinds} onChange={setKind} />
      <Filter label="with events of" value={spanMs} options={spans} onChange={setSpanMs} />
      <button type="button" onClick={() => void send()}>
        Send all again
      </button>
    </div>
  )
}
