/** Whether an organization is active, and for an operator the button that changes it. */
import { useState } from 'preact/hooks'
import type { ChangeBody, OrganizationFile } from '../../../operations/operator/messages/organizations.ts'
import { ConfirmDialog } from '../../shared/dialogs/confirm-dialog.tsx'
import { serviceTime } from '../../shared/service-clock.ts'
import { t } from '../../words/words.ts'
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
    return onChange({ isActive: active }, t(active ? 'organization.isActive' : 'organization.isInactive', { name }))
  }
  return (
    <div class="active-state">
      <span class={`badge ${isActive ? 'Completed' : 'failed'}`}>
        {isActive ? t('organization.active') : t('organization.inactive')}
      </span>
      {mayChange && isActive && (
        <button type="button" class="small danger" onClick={() => setAsking(true)}>
          {t('organization.deactivate')}
        </button>
      )}
      {mayChange && !isActive && (
        <button type="button" class="small" onClick={() => void set(true)}>
          {t('organization.activate')}
        </button>
      )}
      {!isActive && <small>{t('organization.refused')}</small>}
      {isAsking && (
        <ConfirmDialog
          title={t('organization.deactivateOf', { name })}
          verb={t('organization.deactivateVerb')}
          onConfirm={() => void set(false)}
          onClose={() => setAsking(false)}
        >
          {t('organization.deactivateText', { count: valid })}
        </ConfirmDialog>
      )}
    </div>
  )
}
