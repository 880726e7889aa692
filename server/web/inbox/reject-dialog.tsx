/** Asks why a document is rejected. The sender reads the reason. */
import { useState } from 'preact/hooks'
import { Dialog } from '../shared/dialog.tsx'

interface RejectDialogProps {
  onReject(reason: string): void
  onClose(): void
}

const usual = ['Not my patient', 'The order is not correct', 'Please send to the attending physician'] as const
const LONGEST = 500

export function RejectDialog({ onReject, onClose }: RejectDialogProps) {
  const [reason, setReason] = useState('')
  return (
    <Dialog title="Reject this document" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onReject(reason.trim())
        }}
      >
        <p>It leaves your inbox. The sender sees your reason.</p>
        <fieldset class="usual">
          <legend>Usual reasons</legend>
          {usual.map((text) => (
            <button key={text} type="button" aria-pressed={reason === text} onClick={() => setReason(text)}>
              {text}
            </button>
          ))}
        </fieldset>
        <label>
          Reason
          <textarea
            rows={4}
            required
            maxLength={LONGEST}
            value={reason}
            onInput={(event) => setReason(event.currentTarget.value)}
          />
        </label>
        <div class="acts">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="danger solid" disabled={reason.trim() === ''}>
            Reject document
          </button>
        </div>
      </form>
    </Dialog>
  )
}
