/** Who may sign in to the pages, and as what. */
import { useState } from 'preact/hooks'
import type { AccountBody, Person } from '../../../operations/operator/messages/accounts.ts'
import type { Organization } from '../../../operations/operator/messages/organizations.ts'
import type { StoredProvider } from '../../../operations/operator/messages/providers.ts'
import type { Visitor } from '../../shared/sign-in/account.tsx'
import { useTitle } from '../../shared/title.ts'
import { act, textsOf } from '../act.ts'
import { useLive } from '../live.ts'
import { PasswordDialog } from './password-dialog.tsx'

export function Accounts({ visitor }: { visitor: Visitor }) {
  const isOperator = visitor.role === 'operator'
  const [accounts, reload] = useLive<Person[]>('/admin/v1/accounts')
  const [organizations] = useLive<Organization[]>('/admin/v1/organizations')
  const [role, setRole] = useState<AccountBody['role']>(isOperator ? 'signer' : 'administrator')
  const [changing, setChanging] = useState<Person | null>(null)
  const heading = useTitle('Accounts')
  const nameOf = (id: number) => organizations?.find((organization) => organization.id === id)?.name ?? `${id}`
  const create = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const { email = '', name = '', npi = null, organizationId } = textsOf(event)
    const body: AccountBody = {
      email,
      name,
      role,
      npi: role === 'signer' ? npi : null,
      organizationId: role === 'administrator' ? Number(organizationId) : null,
      // Not trimmed: a space is a character of a password like any other.
      password: String(new FormData(form).get('password')),
    }
    if (await act(['POST', '/accounts'], body, `${name} may sign in now.`, reload)) form.reset()
  }
  return (
    <main class="console-page">
      <h1 ref={heading} tabIndex={-1}>
        Accounts
      </h1>
      {accounts && (
        <table>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">E-mail</th>
              <th scope="col">Role</th>
              <th scope="col">Of</th>
              <th scope="col">
                <span class="unseen">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {accounts.map((person) => (
              <tr key={person.id}>
                <th scope="row">{person.name}</th>
                <td data-label="E-mail">{person.email}</td>
                <td data-label="Role">{person.role}</td>
                <td data-label="Of">
                  {person.npi ? `NPI ${person.npi}` : person.organizationId ? nameOf(person.organizationId) : '—'}
                </td>
                <td class="row-acts">
                  <button
                    type="button"
                    class="small"
                    aria-label={`New password for ${person.name}`}
                    onClick={() => setChanging(person)}
                  >
                    New password
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <form class="panel wide" autocomplete="off" onSubmit={(event) => void create(event)}>
        <h2>New account</h2>
        <label>
          Name
          <input name="name" required maxLength={200} />
        </label>
        <label>
          E-mail
          <input name="email" type="email" required maxLength={254} />
        </label>
        {isOperator && (
          <label>
            Role
            <select value={role} onChange={(event) => setRole(event.currentTarget.value as AccountBody['role'])}>
              <option value="signer">signer</option>
              <option value="administrator">administrator of an organization</option>
              <option value="operator">operator</option>
            </select>
          </label>
        )}
        {role === 'signer' && <ProviderChoice />}
        {role === 'administrator' && (
          <label>
            Organization
            <select name="organizationId" required>
              {(organizations ?? []).map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        <label>
          Password, at least 12 characters
          <input name="password" type="password" required minLength={12} maxLength={200} autocomplete="new-password" />
        </label>
        <button type="submit" class="primary">
          Add account
        </button>
      </form>
      {changing && (
        <PasswordDialog person={changing} isOwn={changing.email === visitor.email} onClose={() => setChanging(null)} />
      )}
    </main>
  )
}

function ProviderChoice() {
  const [providers] = useLive<StoredProvider[]>('/admin/v1/providers')
  return (
    <label>
      Provider
      <select name="npi" required>
        {(providers ?? []).map(({ npi, signingName }) => (
          <option key={npi} value={npi}>
            {signingName}, {npi}
          </option>
        ))}
      </select>
    </label>
  )
}
