/** Visitors change their own password: with the old one, and every other session of theirs ends. */
import { useState } from 'preact/hooks'
import { announce } from '../announce.tsx'
import { call, sentenceOf } from '../api.ts'
import { Dialog } from '../dialogs/dialog.tsx'
import { PasswordInput, passwordOf } from './password-input.tsx'

export function OwnPasswordDialog({ onClose }: { onClose(): void }) {
  const [problem, setProblem] = useState('')
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget as HTMLFormElement)
    try {
      await call('POST', '/account/api/password', { current: String(data.get('current')), password: passwordOf(data) })
    } catch (failure) {
      return setProblem(sentenceOf(failure))
    }
    announce('Your password has been changed.')
    onClose()
  }
  return (
    <Dialog title="Change your password" onClose={onClose}>
      <form onSubmit={(event) => void save(event)}>
        <p>You stay signed in here, and are signed out everywhere else.</p>
        <label>
          Current password
          <input name="current" type="password" autocomplete="current-password" required />
        </label>
        <PasswordInput label="New password" />
        <p class="problem" role="alert">
          {problem}
        </p>
        <div class="actions">
          <button type="button" onClick={onClose}>
            Back
          </button>
          <button type="submit" class="primary">
            Change password
          </button>
        </div>
      </form>
    </Dialog>
  )
}
