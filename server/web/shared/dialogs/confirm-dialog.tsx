/** Asks before something is done that cannot be undone. */
import type { ComponentChildren } from 'preact'
import { t } from '../../words/words.ts'
import { Dialog } from './dialog.tsx'

interface ConfirmDialogProps {
  title: string
  /** On the button that goes ahead. */
  verb: string
  onConfirm(): void
  onClose(): void
  /** The consequence. */
  children: ComponentChildren
}

export const ConfirmDialog = ({ title, verb, onConfirm, onClose, children }: ConfirmDialogProps) => (
  <Dialog title={title} onClose={onClose}>
    <p>{children}</p>
    <div class="actions">
      <button type="button" onClick={onClose}>
        {t('verb.back')}
      </button>
      <button type="button" class="danger solid" onClick={onConfirm}>
        {verb}
      </button>
    </div>
  </Dialog>
)
