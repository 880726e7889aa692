/** The API keys of the agency: each has an owner and perhaps an end, and is shown once. */
import { useState } from 'preact/hooks'
import type { KeyBody, ListedKey, MadeKey } from '../../../operations/operator/messages/keys.ts'
import { localTime } from '../../shared/format.ts'
import { serviceTime } from '../../shared/service-clock.ts'
import { GivenText } from '../../shared/text/given-text.tsx'
import { t } from '../../words/words.ts'
import { callAdmin } from '../admin-api.ts'
import type { Texts } from '../entry-form.tsx'
import { Field, FieldForm } from '../field-form.tsx'
import { isValid } from '../keys/key-words.ts'
import { ShownOnce } from '../shown-once.tsx'
import { More, Step } from './step.tsx'

interface KeyStepProps {
  organizationId: number
  keys: readonly ListedKey[]
  isNext: boolean
  reload(): Promise<void>
}

export const validKeys = (keys: readonly ListedKey[]) => keys.filter((key) => isValid(key, serviceTime()))

export function KeyStep({ organizationId, keys, isNext, reload }: KeyStepProps) {
  const [shown, setShown] = useState<string | null>(null)
  const valid = validKeys(keys)
  const create = async ({ personName = '', description, expiresAt }: Texts) => {
    const body: KeyBody = {
      personName,
      description: description ?? null,
      expiresAt: expiresAt ? new Date(expiresAt).toISOString() : null,
    }
    const { key } = await callAdmin<MadeKey>('POST', `/organizations/${organizationId}/keys`, body)
    setShown(key)
  }
  const close = () => {
    setShown(null)
    // Only now: the next step takes the focus.
    void reload()
  }
  return (
    <Step number={2} title={t('setUp.key')} isDone={valid.length > 0} isNext={isNext}>
      {valid.length > 0 && (
        <ul>
          {valid.map((key) => (
            <li key={key.keyId}>
              <GivenText>{key.personName ?? key.description}</GivenText> (…{key.last4}),{' '}
              {key.expiresAt ? t('setUp.keyUntil', { time: localTime(key.expiresAt) }) : t('setUp.keyEndless')},{' '}
              {key.lastUsedAt ? t('setUp.keyUsed', { time: localTime(key.lastUsedAt) }) : t('setUp.keyUnused')}
            </li>
          ))}
        </ul>
      )}
      <More isOpen={valid.length === 0} title={t('setUp.anotherKey')}>
        <FieldForm verb={t('setUp.createKey')} isMain={valid.length === 0} onSend={create}>
          <Field name="personName" label={t('setUp.owner')} hint={t('setUp.ownerIs')} required maxLength={100} />
          <Field name="description" label={t('setUp.keyFor')} maxLength={100} />
          <Field name="expiresAt" label={t('setUp.expires')} type="datetime-local" />
        </FieldForm>
      </More>
      {shown && <ShownOnce title={t('setUp.newKey')} value={shown} onClose={close} />}
    </Step>
  )
}
