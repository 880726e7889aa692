/** One receiver: how it is doing, resending what it missed, and turning it off. */
import { useState } from 'preact/hooks'
import type { Receiver, ReceiverChangeBody } from '../../../operations/operator/messages/receivers.ts'
import { ConfirmDialog } from '../../shared/dialogs/confirm-dialog.tsx'
import { waitingFor } from '../../shared/format.ts'
import { serviceTime } from '../../shared/service-clock.ts'
import { TermList } from '../../shared/term-list.tsx'
import { t } from '../../words/words.ts'
import { act } from '../act.ts'
import { ConsolePage } from '../console-page.tsx'
import { CallbackList } from '../deliveries/callback-list.tsx'
import { useLive } from '../live.ts'
import { lastAnswer, ReceiverState, receiverName } from './receiver-state.tsx'
import { ResendWindow } from './resend-window.tsx'
import { SecretPanel } from './secret-panel.tsx'
import { Sparkline } from './sparkline.tsx'
import { TestButton } from './test-button.tsx'

export function ReceiverPage({ id }: { id: number }) {
  const [receiver, reload, missing] = useLive<Receiver>(`/receivers/${id}`)
  const [isSwitching, setSwitching] = useState(false)
  const turn = async (isActive: boolean) => {
    setSwitching(false)
    const body: ReceiverChangeBody = { isActive }
    const done = isActive ? t('receiver.isOn') : t('receiver.isOff')
    await act('PATCH', `/receivers/${id}`, { body, done, reload })
  }
  const resume = () => act('POST', `/receivers/${id}/resume`, { done: t('receiver.resumed'), reload })
  const tools = receiver && (
    <>
      {receiver.pause && (
        <button type="button" onClick={() => void resume()}>
          {t('receiver.resume')}
        </button>
      )}
      <TestButton receiver={receiver} onDone={reload} />
      <button
        type="button"
        class={receiver.isActive ? 'danger' : ''}
        onClick={() => (receiver.isActive ? setSwitching(true) : void turn(true))}
      >
        {receiver.isActive ? t('receiver.turnOff') : t('receiver.turnOn')}
      </button>
    </>
  )
  return (
    <ConsolePage
      title={receiver ? receiverName(receiver) : t('console.receiver')}
      back={{ route: 'receivers', name: t('console.receivers') }}
      tools={tools}
    >
      {!receiver && <p class="loading">{missing || t('service.loading')}</p>}
      {receiver && (
        <>
          <section class="facts" aria-label={t('console.receiver')}>
            <p class="bulk">
              <ReceiverState receiver={receiver} />
            </p>
            <TermList
              rows={[
                [t('receiver.address'), receiver.origin],
                [t('console.organization'), receiver.organization],
                [t('delivery.subscription'), receiver.subscriptionId],
                [t('receiver.waiting'), t('receiver.callbackCount', { count: receiver.waiting })],
                [
                  t('receiver.oldest'),
                  receiver.oldestWaiting && waitingFor(receiver.oldestWaiting, serviceTime().getTime()),
                ],
                [t('receiver.lastAnswer'), lastAnswer(receiver) || null],
              ]}
            />
            <Sparkline hours={receiver.hours} />
          </section>
          <ResendWindow receiver={receiver} onDone={reload} />
          <SecretPanel receiver={receiver} reload={reload} />
          <section aria-labelledby="callbacks">
            <h2 id="callbacks">{t('receiver.callbacks')}</h2>
            <CallbackList subscriptionId={id} />
          </section>
        </>
      )}
      {isSwitching && receiver && (
        <ConfirmDialog
          title={t('receiver.turnOffAsk', { name: receiverName(receiver) })}
          verb={t('receiver.turnOff')}
          onConfirm={() => void turn(false)}
          onClose={() => setSwitching(false)}
        >
          {receiver.waiting === 0
            ? t('receiver.turnOffText', { organization: receiver.organization })
            : t('receiver.turnOffWaiting', { organization: receiver.organization, count: receiver.waiting })}
        </ConfirmDialog>
      )}
    </ConsolePage>
  )
}
