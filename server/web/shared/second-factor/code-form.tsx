/** Asks for a code of the authenticator app or, where it may be one, for a recovery code. */
import { useState } from 'preact/hooks'
import { t } from '../../words/words.ts'
import { sentenceOf } from '../api.ts'

interface CodeFormProps {
  /** On the button that sends the code. */
  verb: string
  isDanger?: boolean
  /** On the button that leads back. */
  back: string
  /** Whether a recovery code is as good as one of the app. */
  mayRecover: boolean
  /** Rejects when the code is refused. */
  onCode(code: string): Promise<void>
  onBack(): void
}

export function CodeForm({ verb, isDanger, back, mayRecover, onCode, onBack }: CodeFormProps) {
  const [isRecovery, setRecovery] = useState(false)
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    setBusy(true)
    setProblem('')
    try {
      await onCode(String(new FormData(form).get('code')))
    } catch (failure) {
      setProblem(sentenceOf(failure))
      form.reset()
    } finally {
      setBusy(false)
    }
  }
  return (
    <form class="code-form" onSubmit={(event) => void submit(event)}>
      <label>
        {isRecovery ? t('factor.recoveryCode') : t('factor.appCode')}
        <input
          key={String(isRecovery)}
          name="code"
          autocomplete={isRecovery ? 'off' : 'one-time-code'}
          inputMode={isRecovery ? 'text' : 'numeric'}
          maxLength={40}
          spellcheck={false}
          required
        />
      </label>
      <p class="problem" role="alert">
        {problem}
      </p>
      {mayRecover && (
        <button
          type="button"
          class="quiet"
          onClick={() => {
            setRecovery(!isRecovery)
            setProblem('')
          }}
        >
          {isRecovery ? t('factor.useApp') : t('factor.useRecovery')}
        </button>
      )}
      <div class="actions">
        <button type="button" onClick={onBack}>
          {back}
        </button>
        <button type="submit" class={isDanger ? 'danger solid' : 'primary'} disabled={isBusy}>
          {verb}
        </button>
      </div>
    </form>
  )
}
