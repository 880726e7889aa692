/** Replacing a key, and revoking it. */
import type { ListedKey, RotateBody } from '../../../operations/operator/messages/keys.ts'
import { ConfirmDialog } from '../../shared/dialogs/confirm-dialog.tsx'
import { localTime } from '../../shared/format.ts'
import { t } from '../../words/words.ts'
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
    const done = t('key.bothValid', { time: localTime(until) })
    const result = await act<{ key: string }>('POST', `${pathOf(listed)}/rotate`, { body, done, reload })
    if (!result) return
    onClose()
    onKey(result.answer.key)
  }
  return (
    <OverlapDialog
      title={t('key.rotateOf', { name: keyName(listed) })}
      label={t('key.oldUntil')}
      verb={t('key.createNew')}
      onChosen={rotate}
      onClose={onClose}
    >
      {listed.personName ? t('key.rotateTextOf', { person: listed.personName }) : t('key.rotateText')}
    </OverlapDialog>
  )
}

export function RevokeDialog({ listed, reload, onClose }: KeyDialogProps) {
  const revoke = () => {
    onClose()
    return act('DELETE', pathOf(listed), { done: t('key.revoked'), reload })
  }
  return (
    <ConfirmDialog
      title={t('key.revokeAsk', { name: keyName(listed) })}
      verb={t('key.revokeVerb')}
      onConfirm={() => void revoke()}
      onClose={onClose}
    >
      {t('key.revokeText', { use: useOf(listed) })}
    </ConfirmDialog>
  )
}

function useOf(listed: ListedKey): string {
  if (!listed.lastUsedAt) return t('key.neverUsed')
  return t('key.used', { count: requestsOf(listed), time: localTime(listed.lastUsedAt) })
}
