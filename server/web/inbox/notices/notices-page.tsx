/** How the signer is notified by e-mail that documents wait: when, and at which address. */
import { useEffect, useState } from 'preact/hooks'
import type { Notices } from '../../../operations/notices.ts'
import { announce } from '../../shared/announce.tsx'
import { call, sentenceOf } from '../../shared/api.ts'
import { announceFailure, isLost, useConnectionRound } from '../../shared/connection.tsx'
import { useTitle } from '../../shared/title.ts'
import { t } from '../../words/words.ts'
import { AddressPanel } from './address-panel.tsx'
import { ChoicePanel } from './choice-panel.tsx'

const PATH = '/inbox/api/notices'

export function NoticesPage() {
  const [notices, setNotices] = useState<Notices | null>(null)
  const [problem, setProblem] = useState('')
  const heading = useTitle(t('inbox.email'))
  const load = () =>
    call<Notices>('GET', PATH).then(
      setNotices,
      (failure: unknown) => isLost(failure) || setProblem(sentenceOf(failure)),
    )
  const round = useConnectionRound()
  useEffect(() => void load(), [round])
  /** Resolves with whether it was done; the signer has been told then. */
  const change = async (path: string, body: object, done: string): Promise<boolean> => {
    try {
      await call('POST', PATH + path, body)
      announce(done)
      return true
    } catch (failure) {
      announceFailure(failure)
      return false
    } finally {
      await load()
    }
  }
  return (
    <main class="list-page">
      <h1 ref={heading} tabIndex={-1}>
        {t('inbox.email')}
      </h1>
      <p class="problem" role="alert">
        {problem}
      </p>
      {notices?.isOffered === false && <p class="empty">{t('email.none')}</p>}
      {notices?.isOffered && (
        <>
          <p>{t('email.says')}</p>
          <AddressPanel notices={notices} change={change} />
          {notices.address !== null && (
            <ChoicePanel key={`${notices.mode} ${notices.hour}`} notices={notices} change={change} />
          )}
        </>
      )}
    </main>
  )
}
