/** Replacing a key, and revoking it. */
import type { ListedKey, RotateBody } from '../../../operations/operator/messages/keys.ts'
import { ConfirmDialog } from '../../shared/dialogs/confirm-dialog.tsx'
import { count, localTime } from '../../shared/format.ts'
import { act } from '../act.ts'
import { OverlapDialog } from '../overlap-dialog.tsx'
import { keyName, requestsOf } from './key-words.ts'

interface KeyDialogProps {
  listed: ListedKey
  reload(): Promise<void>
  onClose(): void
}

const pathOf = ({ organizationId, keyId }: ListedKey) => `/organizations/${organizationId}/keys/${keyId}`

export function RotateDialog({ listed, reload, onKey, onClose }: KeyDialogProps & { onKey(key: string): void }) {
  const rotate = async (until: string) => {
    const body: RotateBody = { until }
    const done = `Both keys are valid until ${localTime(until)}.`
    const result = await act<{ key: string }>('POST', `${pathOf(listed)}/rotate`, { body, done, reload })
    if (!result) return
    onClose()
    onKey(result.answer.key)
  }
  return (
    <OverlapDialog
      title={`Rotate ${keyName(listed)}`}
      label="Old key valid until"
      verb="Create new key"
      onChosen={rotate}
      onClose={onClose}
    >
      A new key replaces this one{listed.personName && ` of ${listed.personName}`}. Both are valid until the time that
      you choose; from then on, requests with the old key are rejected.
    </OverlapDialog>
  )
}

export function RevokeDialog({ listed, reload, onClose }: KeyDialogProps) {
  const revoke = () => {
    onClose()
    return act('DELETE', pathOf(listed), { done: 'The key has been revoked.', reload })
  }
  return (
    <ConfirmDialog
      title={`Revoke ${keyName(listed)}?`}
      verb="Revoke key"
      onConfirm={() => void revoke()}
      onClose={onClose}
    >
      All requests with this key will be rejected from now on. {useOf(listed)} To replace it without an interruption,
      rotate it.
    </ConfirmDialog>
  )
}

function useOf(listed: ListedKey): string {
  if (!listed.lastUsedAt) return 'It has never been used.'
  return `It made ${count(requestsOf(listed), 'request')} in the last 14 days and was last used ${localTime(listed.lastUsedAt)}.`
}
