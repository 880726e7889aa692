/** Asks visitors for their own password before something that someone who finds the page open must not do. */
import { useState } from 'preact/hooks'
import { t } from '../../words/words.ts'
import { sentenceOf } from '../api.ts'
import { FormEnd } from '../dialogs/form-end.tsx'
import { CurrentPasswordInput, currentPasswordOf } from '../sign-in/password-input.tsx'

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
    await onPassword(currentPasswordOf(data)).catch((failure: unknown) => setProblem(sentenceOf(failure)))
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <CurrentPasswordInput />
      <FormEnd problem={problem} verb={t('verb.continue')} onBack={onBack} />
    </form>
  )
}
