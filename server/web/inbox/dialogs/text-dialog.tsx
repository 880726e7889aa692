/** Gives room to write the text of a field where the page is too small on the screen. */
import { useState } from 'preact/hooks'
import { Dialog } from '../../shared/dialogs/dialog.tsx'
import { limitedText } from '../../shared/text/limited-text.ts'
import { t } from '../../words/words.ts'
import { TextNote } from './text-note.tsx'

interface TextDialogProps {
  /** Says which field it is. */
  title: string
  /** Offered for a field that holds no more; null for others. */
  initials: string | null
  value: string
  onDone(text: string): void
  onClose(): void
}

export function TextDialog({ title, initials, value, onDone, onClose }: TextDialogProps) {
  const [text, setText] = useState(value)
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault()
          onDone(text)
        }}
      >
        <label>
          {t('ink.text')}
          <textarea rows={6} value={text} onInput={(event) => setText(limitedText(event.currentTarget))} />
        </label>
        <TextNote text={text} />
        {initials !== null && (
          <button type="button" onClick={() => onDone(initials)}>
            {t('ink.initials', { initials })}
          </button>
        )}
        <div class="actions">
          <button type="button" onClick={onClose}>
            {t('ink.cancel')}
          </button>
          <button type="submit" class="primary">
            {t('ink.done')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
