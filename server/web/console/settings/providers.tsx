/** Providers, who sign, and the organizations they belong to. */
import { useState } from 'preact/hooks'
import type { Organization } from '../../../operations/operator/messages/organizations.ts'
import type {
  ProviderBody,
  ProviderChangeBody,
  StoredProvider,
} from '../../../operations/operator/messages/providers.ts'
import { useTitle } from '../../shared/title.ts'
import { act, textsOf } from '../act.ts'
import { useLive } from '../live.ts'
import { MembershipDialog } from './membership-dialog.tsx'

export function Providers() {
  const [providers, reload] = useLive<StoredProvider[]>('/admin/v1/providers')
  const [organizations] = useLive<Organization[]>('/admin/v1/organizations')
  const [editing, setEditing] = useState<StoredProvider | null>(null)
  const heading = useTitle('Providers')
  const setActive = (npi: string, isActive: boolean) => {
    const body: ProviderChangeBody = { isActive }
    const done = `NPI ${npi} is ${isActive ? 'active' : 'not active any more'}.`
    return act(['PATCH', `/providers/${npi}`], body, done, reload)
  }
  const create = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const { npi = '', firstName = '', lastName = '', signingName = '' } = textsOf(event)
    const organizationIds = new FormData(form).getAll('organizationIds').map(Number)
    const body: ProviderBody = { npi, firstName, lastName, signingName, organizationIds }
    if (await act(['POST', '/providers'], body, `${signingName} is added.`, reload)) form.reset()
  }
  return (
    <main class="console-page">
      <h1 ref={heading} tabIndex={-1}>
        Providers
      </h1>
      {providers && (
        <table>
          <thead>
            <tr>
              <th scope="col">NPI</th>
              <th scope="col">Signs as</th>
              <th scope="col">Organizations, the primary one first</th>
              <th scope="col">Active</th>
              <th scope="col">
                <span class="unseen">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {providers.map((provider) => (
              <tr key={provider.npi}>
                <th scope="row">{provider.npi}</th>
                <td data-label="Signs as">{provider.signingName}</td>
                <td data-label="Organizations">{provider.organizations.map(({ name }) => name).join('; ') || '—'}</td>
                <td data-label="Active">
                  <label class="touch">
                    <input
                      type="checkbox"
                      aria-label={`${provider.signingName} is active`}
                      checked={provider.isActive}
                      onChange={(event) => void setActive(provider.npi, event.currentTarget.checked)}
                    />
                  </label>
                </td>
                <td class="row-acts">
                  <button
                    type="button"
                    class="small"
                    aria-label={`Organizations of ${provider.signingName}`}
                    onClick={() => setEditing(provider)}
                  >
                    Organizations
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <form class="panel wide" onSubmit={(event) => void create(event)}>
        <h2>New provider</h2>
        <label>
          NPI
          <input name="npi" required inputMode="numeric" pattern="\d{10}" title="10 digits" />
        </label>
        <label>
          First name
          <input name="firstName" required maxLength={100} />
        </label>
        <label>
          Last name
          <input name="lastName" required maxLength={100} />
        </label>
        <label>
          Signs as
          <input name="signingName" required maxLength={200} placeholder="Helen Marsh MD" />
        </label>
        <fieldset class="choices">
          <legend>Organizations</legend>
          {(organizations ?? []).map(({ id, name }) => (
            <label key={id} class="check">
              <input type="checkbox" name="organizationIds" value={id} />
              {name}
            </label>
          ))}
        </fieldset>
        <button type="submit" class="primary">
          Add provider
        </button>
      </form>
      {editing && (
        <MembershipDialog
          provider={editing}
          organizations={organizations ?? []}
          onChange={reload}
          onClose={() => setEditing(null)}
        />
      )}
    </main>
  )
}
