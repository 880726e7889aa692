/** How a provider is notified by e-mail that documents wait. An operator may set an address without a code. */
import { useEffect, useState } from 'preact/hooks'
import type { Instance } from '../../../operations/operator/messages/instances.ts'
import type { ProviderNoticesBody, StoredNotices } from '../../../operations/operator/messages/notices.ts'
import type { StoredProvider } from '../../../operations/operator/messages/providers.ts'
import { sentenceOf } from '../../shared/api.ts'
import { Dialog } from '../../shared/dialogs/dialog.tsx'
import { FormEnd } from '../../shared/dialogs/form-end.tsx'
import { ownTimeZone } from '../../shared/format.ts'
import { NoticeChoice } from '../../shared/notices/notice-choice.tsx'
import { t } from '../../words/words.ts'
import { act } from '../act.ts'
import { callAdmin } from '../admin-api.ts'

/** The worker that an instance has when a mail server is set. */
const NOTICES_WORKER = 'e-mail notices'

interface NoticesDialogProps {
  provider: StoredProvider
  onClose(): void
}

export function NoticesDialog({ provider: { npi, signingName }, onClose }: NoticesDialogProps) {
  const [notices, setNotices] = useState<ProviderNoticesBody | null>(null)
  const [isOffered, setOffered] = useState(true)
  const [problem, setProblem] = useState('')
  const path = `/providers/${npi}/notices`
  useEffect(() => {
    callAdmin<StoredNotices>('GET', path).then(
      ({ mode, hour, timeZone, address }) =>
        setNotices({ mode, hour, address, timeZone: mode === 'off' ? ownTimeZone() : timeZone }),
      (failure: unknown) => setProblem(sentenceOf(failure)),
    )
    // An unreadable answer is no reason to say that no e-mails are sent.
    callAdmin<Instance[]>('GET', '/instances').then(
      (instances) => setOffered(instances.some(({ workers }) => workers.some(({ name }) => name === NOTICES_WORKER))),
      () => {},
    )
  }, [path])
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    if (await act('POST', path, { body: notices, done: t('emails.set', { name: signingName }) })) onClose()
  }
  return (
    <Dialog title={t('emails.to', { name: signingName })} onClose={onClose}>
      <form onSubmit={(event) => void save(event)}>
        <p>{t('emails.say')}</p>
        {!isOffered && (
          <p>
            <strong>{t('emails.none')}</strong> {t('emails.noServer')}
          </p>
        )}
        {notices && (
          <>
            <label>
              {t('emails.address')}
              <input
                type="email"
                autocomplete="off"
                maxLength={254}
                value={notices.address ?? ''}
                onInput={({ currentTarget: { value } }) => setNotices({ ...notices, address: value.trim() || null })}
              />
            </label>
            <label>
              {t('emails.zone')}
              <input
                required
                value={notices.timeZone}
                onInput={({ currentTarget: { value } }) => setNotices({ ...notices, timeZone: value.trim() })}
              />
            </label>
            <NoticeChoice chosen={notices} onChange={(chosen) => setNotices({ ...notices, ...chosen })} />
          </>
        )}
        <FormEnd problem={problem} verb={t('verb.save')} onBack={onClose} />
      </form>
    </Dialog>
  )
}
