/** Whether an organization is active, and for an operator the button that changes it. */
import { useState } from 'preact/hooks'
import type { ChangeBody, OrganizationFile } from '../../../operations/operator/messages/organizations.ts'
import { ConfirmDialog } from '../../shared/dialogs/confirm-dialog.tsx'
import { count } from '../../shared/format.ts'
import { serviceTime } from '../../shared/service-clock.ts'
import { isValid } from '../keys/key-words.ts'

interface ActiveStateProps {
  file: OrganizationFile
  onChange(body: ChangeBody, done: string): Promise<unknown>
}

export function ActiveState({ file: { organization, keys, mayChange }, onChange }: ActiveStateProps) {
  const { name, isActive } = organization
  const valid = keys.filter((key) => isValid(key, serviceTime())).length
  const [isAsking, setAsking] = useState(false)
  const set = (active: boolean) => {
    setAsking(false)
    return onChange({ isActive: active }, `${name} is ${active ? 'active' : 'inactive'}.`)
  }
  return (
    <div class="active-state">
      <span class={`badge ${isActive ? 'Completed' : 'failed'}`}>{isActive ? 'active' : 'inactive'}</span>
      {mayChange && isActive && (
        <button type="button" class="small danger" onClick={() => setAsking(true)}>
          Deactivate
        </button>
      )}
      {mayChange && !isActive && (
        <button type="button" class="small" onClick={() => void set(true)}>
          Activate
        </button>
      )}
      {!isActive && <small>Its keys are refused, and no task is routed to it.</small>}
      {isAsking && (
        <ConfirmDialog
          title={`Deactivate ${name}`}
          verb="Deactivate organization"
          onConfirm={() => void set(false)}
          onClose={() => setAsking(false)}
        >
          Its {count(valid, 'valid key')} will be refused, and no task will be routed to it, until it is activated
          again. What it has sent so far continues.
        </ConfirmDialog>
      )}
    </div>
  )
}
