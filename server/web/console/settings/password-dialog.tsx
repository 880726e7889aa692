/** Gives an account a new password, which ends its sessions. */
import type { PasswordBody, Person } from '../../../operations/operator/messages/accounts.ts'
import { signedOut } from '../../shared/api.ts'
import { Dialog } from '../../shared/dialogs/dialog.tsx'
import { PasswordInput, passwordOf } from '../../shared/sign-in/password-input.tsx'
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
    if (!(await act('POST', `/accounts/${id}/password`, { body, done: `${name} has a new password.` }))) return
    if (isOwn) signedOut('Your password has been changed. Sign in with the new one.')
    else onClose()
  }
  return (
    <Dialog title={`New password for ${name}`} onClose={onClose}>
      <form autocomplete="off" onSubmit={(event) => void save(event)}>
        <p>{isOwn ? 'You' : email} will be signed out everywhere, and must then sign in with the new password.</p>
        <PasswordInput label="New password" />
        <div class="actions">
          <button type="button" onClick={onClose}>
            Back
          </button>
          <button type="submit" class="primary">
            Set password
          </button>
        </div>
      </form>
    </Dialog>
  )
}
