/** The secret of a receiver: a new one, valid next to the old one for a time. */
import { useState } from 'preact/hooks'
import type { MadeSecret, Receiver, SecretBody } from '../../../operations/operator/messages/receivers.ts'
import { ConfirmDialog } from '../../shared/dialogs/confirm-dialog.tsx'
import { localTime } from '../../shared/format.ts'
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
    const done = `Both secrets are valid until ${localTime(until)}.`
    const result = await act<MadeSecret>('POST', path, { body, done, reload })
    if (!result) return
    close()
    setShown(result.answer.secret)
  }
  const use = async () => {
    close()
    await act('POST', `${path}/use`, { done: 'Callbacks are signed with the new secret alone.', reload })
  }
  return (
    <section class="panel" aria-labelledby="secret">
      <h2 id="secret">Secret</h2>
      <p>
        {newSecretFrom
          ? `Two secrets are valid until ${localTime(newSecretFrom)}; the new one alone from then on.`
          : 'Callbacks are signed with one secret. It is not shown here.'}
      </p>
      <p class="bulk">
        <button type="button" onClick={() => setAsking(newSecretFrom ? 'use' : 'new')}>
          {newSecretFrom ? 'Use the new one now' : 'New secret'}
        </button>
      </p>
      {asking === 'new' && (
        <OverlapDialog
          title={`New secret for ${receiverName(receiver)}`}
          label="Old secret valid until"
          verb="Create secret"
          onChosen={add}
          onClose={close}
        >
          Until the time that you choose, our signature is made with the old secret, and the Standard Webhooks header
          carries one with each. From then on, only the new secret signs: the receiver must accept it by that time.
        </OverlapDialog>
      )}
      {asking === 'use' && (
        <ConfirmDialog
          title="Use the new secret now?"
          verb="Use new secret"
          onConfirm={() => void use()}
          onClose={close}
        >
          Callbacks are no longer signed with the old secret. If {receiverName(receiver)} does not accept the new one
          yet, it will reject them.
        </ConfirmDialog>
      )}
      {shown && <ShownOnce title="The new secret" value={shown} onClose={() => setShown(null)} />}
    </section>
  )
}
