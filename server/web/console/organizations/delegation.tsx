/** Whether signers of an organization may let a colleague sign, and who signs for whom at present. */
import type { Delegation } from '../../../operations/delegations.ts'
import type { ChangeBody, OrganizationFile } from '../../../operations/operator/messages/organizations.ts'
import { DelegationList } from '../../shared/delegation/delegation-list.tsx'
import { t } from '../../words/words.ts'
import { act } from '../act.ts'
import { useLive } from '../live.ts'

interface DelegationPanelProps {
  file: OrganizationFile
  /** Resolves to null when the change was refused. */
  onChange(body: ChangeBody, done: string): Promise<unknown>
}

export function DelegationPanel({ file: { organization, mayChange }, onChange }: DelegationPanelProps) {
  const { id, name, allowsDelegation } = organization
  const [delegations, reload, missing] = useLive<Delegation[]>(`/organizations/${id}/delegations`)
  const allow = async (allowed: boolean) => {
    const done = t(allowed ? 'orgDelegation.may' : 'orgDelegation.mayNot', { name })
    await onChange({ allowsDelegation: allowed }, done)
    await reload()
  }
  const end = ({ id }: Delegation) => act('POST', `/delegations/${id}/end`, { done: t('orgDelegation.ended'), reload })
  return (
    <section class="panel" aria-labelledby="delegation">
      <h2 id="delegation">{t('orgDelegation.title')}</h2>
      <p>{t('orgDelegation.text')}</p>
      <label class="check">
        <input
          type="checkbox"
          checked={allowsDelegation}
          disabled={!mayChange}
          onChange={(event) => void allow(event.currentTarget.checked)}
        />
        {t('orgDelegation.allow')}
      </label>
      {delegations ? (
        <DelegationList delegations={delegations} nobody={t('orgDelegation.none')} onEnd={end} />
      ) : (
        <p class="loading">{missing || t('service.loading')}</p>
      )}
      {!mayChange && <small>{t('orgDelegation.operatorOnly')}</small>}
    </section>
  )
}
