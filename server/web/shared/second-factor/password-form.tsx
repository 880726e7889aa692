/** Asks visitors for their own password before something that somebody who finds the page open must not do. */
import { useState } from 'preact/hooks'
import { sentenceOf } from '../api.ts'

interface PasswordFormProps {
  /** Rejects when the password is refused. */
  onPassword(password: string): Promise<void>
  onBack(): void
}

export function PasswordForm({ onPassword, onBack }: PasswordFormProps) {
  const [problem, setProblem] = useState('')
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget as HTMLFormElement)
    await onPassword(String(data.get('current'))).catch((failure: unknown) => setProblem(sentenceOf(failure)))
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <label>
        Current password
        <input name="current" type="password" autocomplete="current-password" required />
      </label>
      <p class="problem" role="alert">
        {problem}
      </p>
      <div class="actions">
        <button type="button" onClick={onBack}>
          Back
        </button>
        <button type="submit" class="primary">
          Continue
        </button>
      </div>
    </form>
  )
}
