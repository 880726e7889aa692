/** Whether signers of an organization may let a colleague sign, and who signs for whom at present. */
import type { Delegation } from '../../../operations/delegations.ts'
import type { ChangeBody, OrganizationFile } from '../../../operations/operator/messages/organizations.ts'
import { DelegationList } from '../../shared/delegation/delegation-list.tsx'
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
    const done = `Signers of ${name} may ${allowed ? 'let a colleague sign' : 'no longer let a colleague sign; what they agreed on has ended'}.`
    await onChange({ allowsDelegation: allowed }, done)
    await reload()
  }
  const end = ({ id }: Delegation) => act('POST', `/delegations/${id}/end`, { done: 'Ended.', reload })
  return (
    <section class="panel" aria-labelledby="delegation">
      <h2 id="delegation">Delegation</h2>
      <p>
        A signer who is away can let a colleague of the organization sign for a time. The colleague signs in their own
        name; the document says on whose behalf.
      </p>
      <label class="check">
        <input
          type="checkbox"
          checked={allowsDelegation}
          disabled={!mayChange}
          onChange={(event) => void allow(event.currentTarget.checked)}
        />
        Signers may let a colleague sign for them
      </label>
      {delegations ? (
        <DelegationList delegations={delegations} nobody="Nobody signs for anybody else at present." onEnd={end} />
      ) : (
        <p class="loading">{missing || 'Loading…'}</p>
      )}
      {!mayChange && <small>Only the operator of the service can allow it.</small>}
    </section>
  )
}
