/** Asks until when an old key or secret is valid next to the new one. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Dialog } from '../shared/dialogs/dialog.tsx'
import { FormEnd } from '../shared/dialogs/form-end.tsx'
import { fieldTime } from '../shared/format.ts'
import { serviceTime } from '../shared/service-clock.ts'

interface OverlapDialogProps {
  title: string
  label: string
  /** On the button that goes ahead. */
  verb: string
  /** Called with the time, ISO 8601. */
  onChosen(until: string): Promise<unknown>
  onClose(): void
  /** The consequence. */
  children: ComponentChildren
}

export function OverlapDialog({ title, label, verb, onChosen, onClose, children }: OverlapDialogProps) {
  const [until, setUntil] = useState(() => fieldTime(new Date(serviceTime().getTime() + DAY_MS)))
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void onChosen(new Date(until).toISOString())
        }}
      >
        <p>{children}</p>
        <label>
          {label}
          <input
            type="datetime-local"
            required
            value={until}
            onInput={({ currentTarget }) => setUntil(currentTarget.value)}
          />
        </label>
        <FormEnd problem="" verb={verb} onBack={onClose} />
      </form>
    </Dialog>
  )
}

const DAY_MS = 24 * 60 * 60 * 1000
