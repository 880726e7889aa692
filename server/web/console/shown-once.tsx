/** Shows a key or a secret the one time that it is shown. */
import { Dialog } from '../shared/dialogs/dialog.tsx'

interface ShownOnceProps {
  title: string
  value: string
  onClose(): void
}

export const ShownOnce = ({ title, value, onClose }: ShownOnceProps) => (
  <Dialog title={title} onClose={onClose}>
    <p>Save it now: it will not be shown again.</p>
    <p class="new-key">{value}</p>
    <div class="actions">
      <button type="button" onClick={() => void navigator.clipboard.writeText(value)}>
        Copy
      </button>
      <button type="button" class="primary" onClick={onClose}>
        I have saved it
      </button>
    </div>
  </Dialog>
)
