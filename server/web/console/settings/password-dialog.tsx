/** A new password for somebody, who has to sign in again with it. */
import type { PasswordBody, Person } from '../../../operations/operator/messages/accounts.ts'
import { signedOut } from '../../shared/api.ts'
import { Dialog } from '../../shared/dialog.tsx'
import { act } from '../act.ts'

interface PasswordDialogProps {
  person: Person
  /** The visitor changes their own password. */
  isOwn: boolean
  onClose(): void
}

export function PasswordDialog({ person: { id, name, email }, isOwn, onClose }: PasswordDialogProps) {
  const give = async (event: SubmitEvent) => {
    event.preventDefault()
    // Not trimmed: a space is a character of a password like any other.
    const body: PasswordBody = {
      password: String(new FormData(event.currentTarget as HTMLFormElement).get('password')),
    }
    if (!(await act(['POST', `/accounts/${id}/password`], body, `${name} has a new password.`, () => {}))) return
    if (isOwn) signedOut('Your password is changed. Sign in with the new one.')
    else onClose()
  }
  return (
    <Dialog title={`New password for ${name}`} onClose={onClose}>
      <form autocomplete="off" onSubmit={(event) => void give(event)}>
        <p>
          {isOwn ? 'You are' : `${email} is`} signed out everywhere, and sign{isOwn ? '' : 's'} in with the new
          password.
        </p>
        <label>
          New password, at least 12 characters
          <input name="password" type="password" required minLength={12} maxLength={200} autocomplete="new-password" />
        </label>
        <div class="acts">
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
