/** One receiver: how it is doing, resending what it missed, and turning it off. */
import { useState } from 'preact/hooks'
import type { Receiver, ReceiverChangeBody } from '../../../operations/operator/messages/receivers.ts'
import { ConfirmDialog } from '../../shared/dialogs/confirm-dialog.tsx'
import { count, waitingFor } from '../../shared/format.ts'
import { serviceTime } from '../../shared/service-clock.ts'
import { TermList } from '../../shared/term-list.tsx'
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
    const done = isActive ? 'The receiver is on. New events are sent to it.' : 'The receiver is off.'
    await act('PATCH', `/receivers/${id}`, { body, done, reload })
  }
  const resume = () =>
    act('POST', `/receivers/${id}/resume`, { done: 'The pause has ended. Callbacks that are due go out now.', reload })
  const tools = receiver && (
    <>
      {receiver.pause && (
        <button type="button" onClick={() => void resume()}>
          Resume now
        </button>
      )}
      <TestButton receiver={receiver} onDone={reload} />
      <button
        type="button"
        class={receiver.isActive ? 'danger' : ''}
        onClick={() => (receiver.isActive ? setSwitching(true) : void turn(true))}
      >
        {receiver.isActive ? 'Turn off' : 'Turn on'}
      </button>
    </>
  )
  return (
    <ConsolePage
      title={receiver ? receiverName(receiver) : 'Receiver'}
      back={{ route: 'receivers', name: 'Receivers' }}
      tools={tools}
    >
      {!receiver && <p class="loading">{missing || 'Loading…'}</p>}
      {receiver && (
        <>
          <section class="facts" aria-label="Receiver">
            <p class="bulk">
              <ReceiverState receiver={receiver} />
            </p>
            <TermList
              rows={[
                ['Address', receiver.origin],
                ['Organization', receiver.organization],
                ['Subscription', receiver.subscriptionId],
                ['Waiting', count(receiver.waiting, 'callback')],
                [
                  'Oldest waiting',
                  receiver.oldestWaiting && waitingFor(receiver.oldestWaiting, serviceTime().getTime()),
                ],
                ['Last answer', lastAnswer(receiver) || null],
              ]}
            />
            <Sparkline hours={receiver.hours} />
          </section>
          <ResendWindow receiver={receiver} onDone={reload} />
          <SecretPanel receiver={receiver} reload={reload} />
          <section aria-labelledby="callbacks">
            <h2 id="callbacks">Callbacks</h2>
            <CallbackList subscriptionId={id} />
          </section>
        </>
      )}
      {isSwitching && receiver && (
        <ConfirmDialog
          title={`Turn off ${receiverName(receiver)}?`}
          verb="Turn off"
          onConfirm={() => void turn(false)}
          onClose={() => setSwitching(false)}
        >
          {receiver.organization} gets no more callbacks there.
          {receiver.waiting > 0 && ` ${count(receiver.waiting, 'callback')} waiting for it will be cancelled.`} You can
          turn it on again and resend what it missed.
        </ConfirmDialog>
      )}
    </ConsolePage>
  )
}
