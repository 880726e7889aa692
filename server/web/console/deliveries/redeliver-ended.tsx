/** Sends again all that ended without success: what failed, what was cancelled with its subscription, or both. */
import { useState } from 'preact/hooks'
import type { Delivery, RedeliverBody, Redelivered } from '../../../operations/operator/messages/deliveries.ts'
import { announce } from '../../shared/announce.tsx'
import { announceFailure } from '../../shared/connection.tsx'
import { ConfirmDialog } from '../../shared/dialogs/confirm-dialog.tsx'
import { count, grouped } from '../../shared/format.ts'
import { serviceTime } from '../../shared/service-clock.ts'
import { callAdmin } from '../admin-api.ts'
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
  const [asked, setAsked] = useState<{ body: RedeliverBody; found: Redelivered } | null>(null)
  const ask = async () => {
    const since = new Date(serviceTime().getTime() - Number(spanMs)).toISOString()
    const body = { since, states: kind.split(',') as Delivery['state'][], subscriptionId }
    try {
      const found = await callAdmin<Redelivered>('POST', '/deliveries/redeliver', { ...body, dryRun: true })
      if (found.count === 0) announce('Nothing to resend.')
      else setAsked({ body, found })
    } catch (failure) {
      announceFailure(failure)
    }
  }
  const send = async (body: RedeliverBody) => {
    setAsked(null)
    await redeliver(body, onDone)
  }
  return (
    <div class="bulk">
      <Filter label="All that are" value={kind} options={kinds} onChange={setKind} />
      <Filter label="with events of" value={spanMs} options={spans} onChange={setSpanMs} />
      <button type="button" onClick={() => void ask()}>
        Send all again
      </button>
      {asked && (
        <ConfirmDialog
          title={`Resend ${count(asked.found.count, 'callback')}?`}
          verb={`Resend ${grouped(asked.found.count)}`}
          onConfirm={() => void send(asked.body)}
          onClose={() => setAsked(null)}
        >
          They go out now to {subscriptionId === null ? 'all receivers' : `subscription ${subscriptionId}`}, also where
          a receiver is paused.{asked.found.next !== null && ' More are left for another round.'}
        </ConfirmDialog>
      )}
    </div>
  )
}
