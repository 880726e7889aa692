/** Shows a key or a secret the one time that it is shown. */
import { Dialog } from '../shared/dialogs/dialog.tsx'
import { t } from '../words/words.ts'

interface ShownOnceProps {
  title: string
  value: string
  onClose(): void
}

export const ShownOnce = ({ title, value, onClose }: ShownOnceProps) => (
  <Dialog title={title} onClose={onClose}>
    <p>{t('once.save')}</p>
    <p class="new-key">{value}</p>
    <div class="actions">
      <button type="button" onClick={() => void navigator.clipboard.writeText(value)}>
        {t('verb.copy')}
      </button>
      <button type="button" class="primary" onClick={onClose}>
        {t('once.saved')}
      </button>
    </div>
  </Dialog>
)
