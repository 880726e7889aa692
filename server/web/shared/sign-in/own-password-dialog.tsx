/** Visitors change their own password: with the old one, and every other session of theirs ends. */
import { useState } from 'preact/hooks'
import { t } from '../../words/words.ts'
import { announce } from '../announce.tsx'
import { call, sentenceOf } from '../api.ts'
import { Dialog } from '../dialogs/dialog.tsx'
import { FormEnd } from '../dialogs/form-end.tsx'
import { CurrentPasswordInput, currentPasswordOf, PasswordInput, passwordOf } from './password-input.tsx'

export function OwnPasswordDialog({ onClose }: { onClose(): void }) {
  const [problem, setProblem] = useState('')
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget as HTMLFormElement)
    try {
      await call('POST', '/account/api/password', { current: currentPasswordOf(data), password: passwordOf(data) })
    } catch (failure) {
      return setProblem(sentenceOf(failure))
    }
    announce(t('password.changed'))
    onClose()
  }
  return (
    <Dialog title={t('password.changeYours')} onClose={onClose}>
      <form onSubmit={(event) => void save(event)}>
        <p>{t('password.elsewhere')}</p>
        <CurrentPasswordInput />
        <PasswordInput label={t('password.new')} />
        <FormEnd problem={problem} verb={t('account.changePassword')} onBack={onClose} />
      </form>
    </Dialog>
  )
}
