/** Shows a key or a secret the one time that it is shown. */
import { useState } from 'preact/hooks'
import { Dialog } from '../shared/dialogs/dialog.tsx'
import { t } from '../words/words.ts'

interface ShownOnceProps {
  title: string
  value: string
  onClose(): void
}

export function ShownOnce({ title, value, onClose }: ShownOnceProps) {
  const [copied, setCopied] = useState('')
  /** A browser may refuse the clipboard; the text can be selected by hand then. */
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => setCopied(t('once.copied')),
      () => setCopied(t('once.notCopied')),
    )
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{t('once.save')}</p>
      <p class="new-key">{value}</p>
      <p role="status">{copied}</p>
      <div class="actions">
        <button type="button" onClick={() => void copy()}>
          {t('verb.copy')}
        </button>
        <button type="button" class="primary" onClick={onClose}>
          {t('once.saved')}
        </button>
      </div>
    </Dialog>
  )
}
