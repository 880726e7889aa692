/** Where a provider signs: the active organizations, and which of them is the primary one. */
import { useState } from 'preact/hooks'
import type { Organization } from '../../../operations/operator/messages/organizations.ts'
import type { ProviderChangeBody, StoredProvider } from '../../../operations/operator/messages/providers.ts'
import { Dialog } from '../../shared/dialog.tsx'
import { act } from '../act.ts'

interface MembershipDialogProps {
  provider: StoredProvider
  organizations: readonly Organization[]
  onChange(): Promise<void>
  onClose(): void
}

export function MembershipDialog({ provider, organizations, onChange, onClose }: MembershipDialogProps) {
  const { npi, signingName } = provider
  /** The primary one first. */
  const [chosen, setChosen] = useState(provider.organizations.map(({ id }) => id))
  const toggle = (id: number) =>
    setChosen(chosen.includes(id) ? chosen.filter((known) => known !== id) : [...chosen, id])
  const save = async (event: SubmitEvent) => {
    event.preventDefault()
    const body: ProviderChangeBody = { organizationIds: chosen }
    const done = `${signingName} signs there from now on.`
    if (await act(['PATCH', `/providers/${npi}`], body, done, onChange)) onClose()
  }
  return (
    <Dialog title={`Where ${signingName} signs`} onClose={onClose}>
      <form onSubmit={(event) => void save(event)}>
        <table class="memberships">
          <thead>
            <tr>
              <th scope="col">Organization</th>
              <th scope="col">Active</th>
              <th scope="col">Primary</th>
            </tr>
          </thead>
          <tbody>
            {organizations.map(({ id, name }) => (
              <tr key={id}>
                <th scope="row">{name}</th>
                <td data-label="Active">
                  <label class="touch">
                    <input
                      type="checkbox"
                      aria-label={`Active at ${name}`}
                      checked={chosen.includes(id)}
                      onChange={() => toggle(id)}
                    />
                  </label>
                </td>
                <td data-label="Primary">
                  <label class="touch">
                    <input
                      type="radio"
                      name="primary"
                      aria-label={`${name} is the primary one`}
                      checked={chosen[0] === id}
                      onChange={() => setChosen([id, ...chosen.filter((known) => known !== id)])}
                    />
                  </label>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <div class="acts">
          <button type="button" onClick={onClose}>
            Back
          </button>
          <button type="submit" class="primary" disabled={chosen.length === 0}>
            Save
          </button>
        </div>
      </form>
    </Dialog>
  )
}
