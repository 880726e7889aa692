/** The secret of a receiver: a new one, valid next to the old one for a time. */
import { useState } from 'preact/hooks'
import type { MadeSecret, Receiver, SecretBody } from '../../../operations/operator/messages/receivers.ts'
import { ConfirmDialog } from '../../shared/dialogs/confirm-dialog.tsx'
import { localTime } from '../../shared/format.ts'
import { t } from '../../words/words.ts'
import { act } from '../act.ts'
import { OverlapDialog } from '../overlap-dialog.tsx'
import { ShownOnce } from '../shown-once.tsx'
import { receiverName } from './receiver-state.tsx'

interface SecretPanelProps {
  receiver: Receiver
  reload(): Promise<void>
}

export function SecretPanel({ receiver, reload }: SecretPanelProps) {
  const [asking, setAsking] = useState<'new' | 'use' | null>(null)
  const [shown, setShown] = useState<string | null>(null)
  const { subscriptionId, newSecretFrom } = receiver
  const path = `/receivers/${subscriptionId}/secret`
  const close = () => setAsking(null)
  const add = async (until: string) => {
    const body: SecretBody = { until }
    const done = t('secret.both', { time: localTime(until) })
    const result = await act<MadeSecret>('POST', path, { body, done, reload })
    if (!result) return
    close()
    setShown(result.answer.secret)
  }
  const use = async () => {
    close()
    await act('POST', `${path}/use`, { done: t('secret.used'), reload })
  }
  return (
    <section class="panel" aria-labelledby="secret">
      <h2 id="secret">{t('secret.title')}</h2>
      <p>{newSecretFrom ? t('secret.two', { time: localTime(newSecretFrom) }) : t('secret.one')}</p>
      <p class="bulk">
        <button type="button" onClick={() => setAsking(newSecretFrom ? 'use' : 'new')}>
          {newSecretFrom ? t('secret.useNow') : t('secret.new')}
        </button>
      </p>
      {asking === 'new' && (
        <OverlapDialog
          title={t('secret.newFor', { name: receiverName(receiver) })}
          label={t('secret.oldUntil')}
          verb={t('secret.create')}
          onChosen={add}
          onClose={close}
        >
          {t('secret.text')}
        </OverlapDialog>
      )}
      {asking === 'use' && (
        <ConfirmDialog title={t('secret.useAsk')} verb={t('secret.use')} onConfirm={() => void use()} onClose={close}>
          {t('secret.useText', { name: receiverName(receiver) })}
        </ConfirmDialog>
      )}
      {shown && <ShownOnce title={t('secret.theNew')} value={shown} onClose={() => setShown(null)} />}
    </section>
  )
}
