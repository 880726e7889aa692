/** Sends again all that ended without success: what failed, what was cancelled with its subscription, or both. */
import { useState } from 'preact/hooks'
import type { Delivery, RedeliverBody, Redelivered } from '../../../operations/operator/messages/deliveries.ts'
import { announce } from '../../shared/announce.tsx'
import { announceFailure } from '../../shared/connection.tsx'
import { ConfirmDialog } from '../../shared/dialogs/confirm-dialog.tsx'
import { serviceTime } from '../../shared/service-clock.ts'
import { t } from '../../words/words.ts'
import { callAdmin } from '../admin-api.ts'
import { Filter } from '../filter.tsx'
import { redeliver } from './redeliver.tsx'

const DAY_MS = 24 * 60 * 60 * 1000
/** When the events happened. It takes three days of attempts until a delivery has failed, so shorter spans would find little. */
const spans = [
  [`${DAY_MS}`, t('resend.lastDay')],
  [`${7 * DAY_MS}`, t('resend.lastWeek')],
  [`${30 * DAY_MS}`, t('resend.last30')],
] as const

const kinds = [
  ['failed', t('callback.failed')],
  ['cancelled', t('callback.cancelled')],
  ['failed,cancelled', t('callback.both')],
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
      if (found.count === 0) announce(t('resend.none'))
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
      <Filter label={t('resend.allThat')} value={kind} options={kinds} onChange={setKind} />
      <Filter label={t('resend.eventsOf')} value={spanMs} options={spans} onChange={setSpanMs} />
      <button type="button" onClick={() => void ask()}>
        {t('resend.all')}
      </button>
      {asked && (
        <ConfirmDialog
          title={t('resend.ask', { count: asked.found.count })}
          verb={t('resend.verb', { number: asked.found.count })}
          onConfirm={() => void send(asked.body)}
          onClose={() => setAsked(null)}
        >
          {subscriptionId === null ? t('resend.toAll') : t('resend.toOne', { id: String(subscriptionId) })}
          {asked.found.next !== null && ` ${t('resend.left')}`}
        </ConfirmDialog>
      )}
    </div>
  )
}
