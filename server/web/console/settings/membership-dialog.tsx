/** Where a provider signs: the active organizations, and which of them is the primary one. */
import { useState } from 'preact/hooks'
import type { Organization } from '../../../operations/operator/messages/organizations.ts'
import type { ProviderChangeBody, StoredProvider } from '../../../operations/operator/messages/providers.ts'
import { Dialog } from '../../shared/dialogs/dialog.tsx'
import { t } from '../../words/words.ts'
import { act } from '../act.ts'
import { MembershipTable } from './membership-table.tsx'

interface MembershipDialogProps {
  provider: StoredProvider
  organizations: readonly Organization[]
  onChange(): Promise<void>
  onClose(): void
}

export function MembershipDialog({ provider, organizations, onChange, onClose }: MembershipDialogProps) {
  const { npi, signingName } = provider
  /** The primary one first. */
  const [organizationIds, setOrganizationIds] = useState(provider.organizations.map(({ id }) => id))
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    const body: ProviderChangeBody = { organizationIds }
    const done = t('member.saved', { name: signingName })
    if (await act('PATCH', `/providers/${npi}`, { body, done, reload: onChange })) onClose()
  }
  return (
    <Dialog title={t('member.where', { name: signingName })} onClose={onClose}>
      <form onSubmit={(event) => void save(event)}>
        <MembershipTable organizations={organizations} chosen={organizationIds} onChoose={setOrganizationIds} />
        <div class="actions">
          <button type="button" onClick={onClose}>
            {t('verb.back')}
          </button>
          <button type="submit" class="primary" disabled={organizationIds.length === 0}>
            {t('verb.save')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
