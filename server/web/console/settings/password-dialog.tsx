/** Gives an account a new password, which ends its sessions. */
import type { PasswordBody, Person } from '../../../operations/operator/messages/accounts.ts'
import { signedOut } from '../../shared/api.ts'
import { Dialog } from '../../shared/dialogs/dialog.tsx'
import { PasswordInput, passwordOf } from '../../shared/sign-in/password-input.tsx'
import { t } from '../../words/words.ts'
import { act } from '../act.ts'

interface PasswordDialogProps {
  person: Person
  /** Whether visitors change their own password. */
  isOwn: boolean
  onClose(): void
}

export function PasswordDialog({ person: { id, name, email }, isOwn, onClose }: PasswordDialogProps) {
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    const body: PasswordBody = { password: passwordOf(new FormData(event.currentTarget as HTMLFormElement)) }
    if (!(await act('POST', `/accounts/${id}/password`, { body, done: t('person.hasNewPassword', { name }) }))) return
    if (isOwn) signedOut(t('person.yourNewPassword'))
    else onClose()
  }
  return (
    <Dialog title={t('person.newPasswordFor', { name })} onClose={onClose}>
      <form autocomplete="off" onSubmit={(event) => void save(event)}>
        <p>{isOwn ? t('person.youSignedOut') : t('person.theySignedOut', { email })}</p>
        <PasswordInput label={t('person.newPassword')} />
        <div class="actions">
          <button type="button" onClick={onClose}>
            {t('verb.back')}
          </button>
          <button type="submit" class="primary">
            {t('person.setPassword')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
