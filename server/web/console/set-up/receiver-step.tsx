/** The receivers of the agency's callbacks: adding one, whose secret is shown once, and its answer to a test event. */
import { useState } from 'preact/hooks'
import type { MadeReceiver, Receiver, ReceiverBody } from '../../../operations/operator/messages/receivers.ts'
import { GivenText } from '../../shared/text/given-text.tsx'
import { t } from '../../words/words.ts'
import { callAdmin } from '../admin-api.ts'
import type { Texts } from '../entry-form.tsx'
import { Field, FieldForm } from '../field-form.tsx'
import { ReceiverState, receiverName } from '../receivers/receiver-state.tsx'
import { TestButton } from '../receivers/test-button.tsx'
import { ShownOnce } from '../shown-once.tsx'
import { More, Step } from './step.tsx'

interface ReceiverStepProps {
  organizationId: number
  receivers: readonly Receiver[]
  reload(): Promise<void>
}

export function ReceiverStep({ organizationId, receivers, reload }: ReceiverStepProps) {
  const [shown, setShown] = useState<string | null>(null)
  const add = async ({ url = '', description }: Texts) => {
    const body: ReceiverBody = { organizationId, url, description: description ?? null }
    const { secret } = await callAdmin<MadeReceiver>('POST', '/receivers', body)
    setShown(secret)
  }
  const close = () => {
    setShown(null)
    void reload()
  }
  return (
    <Step
      number={3}
      title={t('setUp.receiver')}
      isDone={receivers.some(({ isActive }) => isActive)}
      isNext={false}
      isOptional
    >
      <p>{t('setUp.receiverIs')}</p>
      <ul class="set-up-receivers">
        {receivers.map((receiver) => (
          <li key={receiver.subscriptionId}>
            <a href={`#/receivers/${receiver.subscriptionId}`}>
              <GivenText>{receiverName(receiver)}</GivenText>
            </a>{' '}
            <ReceiverState receiver={receiver} />
            <TestButton receiver={receiver} onDone={reload} showsAnswer />
          </li>
        ))}
      </ul>
      <More isOpen={receivers.length === 0} title={t('setUp.anotherReceiver')}>
        <FieldForm verb={t('setUp.addReceiver')} isMain={false} onSend={add}>
          <Field
            name="url"
            label={t('setUp.url')}
            type="url"
            inputMode="url"
            required
            maxLength={2048}
            placeholder="https://ehr.example.org/callbacks"
          />
          <Field name="description" label={t('setUp.receiverName')} maxLength={255} />
        </FieldForm>
      </More>
      {shown && <ShownOnce title={t('setUp.newSecret')} value={shown} onClose={close} />}
    </Step>
  )
}
