/** The form for a new account, which only an operator adds. */
import { useState } from 'preact/hooks'
import type { AccountBody } from '../../../operations/operator/messages/accounts.ts'
import type { Organization } from '../../../operations/operator/messages/organizations.ts'
import type { StoredProvider } from '../../../operations/operator/messages/providers.ts'
import { PasswordInput, passwordOf } from '../../shared/sign-in/password-input.tsx'
import { act } from '../act.ts'
import { EntryForm, type Texts } from '../entry-form.tsx'
import { useLive } from '../live.ts'
import { OrganizationSelect } from '../organization-select.tsx'

type Role = AccountBody['role']

interface NewAccountProps {
  organizations: readonly Organization[]
  onAdded(): Promise<void>
}

export function NewAccount({ organizations, onAdded }: NewAccountProps) {
  const [role, setRole] = useState<Role>('signer')
  const create = ({ email = '', name = '', npi, organizationId }: Texts, data: FormData) => {
    const body: AccountBody = {
      email,
      name,
      role,
      npi: role === 'signer' ? (npi ?? null) : null,
      organizationId: role === 'administrator' ? Number(organizationId) : null,
      password: passwordOf(data),
    }
    return act('POST', '/accounts', { body, done: `${name} can sign in now.`, reload: onAdded })
  }
  return (
    <EntryForm class="panel wide" autocomplete="off" onEnter={create}>
      <h2>New account</h2>
      <label>
        Name
        <input name="name" required maxLength={200} />
      </label>
      <label>
        E-mail
        <input name="email" type="email" required maxLength={254} />
      </label>
      <label>
        Role
        <select value={role} onChange={(event) => setRole(event.currentTarget.value as Role)}>
          <option value="signer">signer</option>
          <option value="administrator">administrator of an organization</option>
          <option value="operator">operator</option>
        </select>
      </label>
      {role === 'signer' && <ProviderSelect />}
      {role === 'administrator' && <OrganizationSelect organizations={organizations} />}
      <PasswordInput label="Password" />
      <button type="submit" class="primary">
        Add account
      </button>
    </EntryForm>
  )
}

function ProviderSelect() {
  const [providers] = useLive<StoredProvider[]>('/providers')
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
