/** Asks for the reason before something is done that cannot be undone. */
import { useState } from 'preact/hooks'
import { MAX_REASON } from '../../../../lib/contract/task/status-reason.ts'
import { t } from '../../words/words.ts'
import { Dialog } from './dialog.tsx'

interface ReasonDialogProps {
  title: string
  /** The consequence. */
  text: string
  /** On the button that goes ahead. */
  verb: string
  usual: readonly string[]
  onReason(reason: string): void
  onClose(): void
}

export function ReasonDialog({ title, text, verb, usual, onReason, onClose }: ReasonDialogProps) {
  const [reason, setReason] = useState('')
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onReason(reason.trim())
        }}
      >
        <p>{text}</p>
        <fieldset class="usual">
          <legend>{t('reason.common')}</legend>
          {usual.map((known) => (
            <button key={known} type="button" aria-pressed={reason === known} onClick={() => setReason(known)}>
              {known}
            </button>
          ))}
        </fieldset>
        <label>
          {t('reason.field')}
          <textarea
            rows={4}
            required
            maxLength={MAX_REASON}
            value={reason}
            onInput={(event) => setReason(event.currentTarget.value)}
          />
        </label>
        <div class="actions">
          <button type="button" onClick={onClose}>
            {t('verb.back')}
          </button>
          <button type="submit" class="danger solid" disabled={reason.trim() === ''}>
            {verb}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
