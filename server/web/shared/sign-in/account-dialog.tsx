/** Changes the user's own account: the password and the second factor. */
import { useEffect, useState } from 'preact/hooks'
import type { OwnSecondFactor } from '../../../people/second-factor/own-second-factor.ts'
import { call, sentenceOf, signedOut } from '../api.ts'
import { Dialog } from '../dialogs/dialog.tsx'
import { type Purpose, SECOND_FACTOR, SecondFactorDialog } from '../second-factor/second-factor-dialog.tsx'
import type { Visitor } from './account.ts'
import { OwnPasswordDialog } from './own-password-dialog.tsx'
import '../second-factor/second-factor.css'
import { LanguageChoice } from '../../words/language-choice.tsx'
import { t } from '../../words/words.ts'

type Standing = Awaited<ReturnType<OwnSecondFactor['of']>>

interface AccountDialogProps {
  visitor: Visitor
  onClose(): void
}

export function AccountDialog({ visitor, onClose }: AccountDialogProps) {
  const [purpose, setWish] = useState<Purpose | 'password' | null>(null)
  const [standing, setStanding] = useState<Standing | null>(null)
  const [problem, setProblem] = useState('')
  useEffect(() => {
    call<Standing>('GET', SECOND_FACTOR).then(setStanding, (failure: unknown) => setProblem(sentenceOf(failure)))
  }, [])
  const signOutEverywhere = async () => {
    try {
      await call('DELETE', '/account/api/sessions')
      signedOut(t('account.signedOutEverywhere'))
    } catch (failure) {
      setProblem(sentenceOf(failure))
    }
  }
  if (purpose === 'password') return <OwnPasswordDialog onClose={onClose} />
  if (purpose) return <SecondFactorDialog purpose={purpose} onClose={onClose} />
  const button = (text: string, leadsTo: Purpose | 'password') => (
    <button type="button" onClick={() => setWish(leadsTo)}>
      {text}
    </button>
  )
  return (
    <Dialog title={t('account.title')} onClose={onClose}>
      <ul class="account-parts">
        <li>
          <strong>{t('signIn.password')}</strong>
          <span>{t('account.of', { email: visitor.email })}</span>
          {button(t('account.changePassword'), 'password')}
        </li>
        <li>
          <strong>{t('account.secondFactor')}</strong>
          <span>{standing ? stateOf(standing) : problem}</span>
          {standing && !standing.isOn && button(t('account.setUp'), 'set up')}
          {standing?.isOn && (
            <div class="account-changes">
              {button(t('account.replace'), 'replace')}
              {button(t('account.newCodes'), 'renew codes')}
              {!standing.isRequired && button(t('account.turnOff'), 'turn off')}
            </div>
          )}
        </li>
        <li>
          <strong>{t('account.sessions')}</strong>
          <span>{t('account.sessionsAre')}</span>
          <button type="button" onClick={() => void signOutEverywhere()}>
            {t('account.signOutEverywhere')}
          </button>
        </li>
      </ul>
      <div class="actions">
        <LanguageChoice />
        <button type="button" onClick={onClose}>
          {t('verb.close')}
        </button>
      </div>
    </Dialog>
  )
}

const stateOf = ({ isOn, recoveryCodes: left }: Standing): string =>
  isOn ? t('account.on', { count: left }) : t('account.off')
