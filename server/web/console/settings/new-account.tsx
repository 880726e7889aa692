/** The form for a new account, which only an operator adds. */
import { useState } from 'preact/hooks'
import type { AccountBody } from '../../../operations/operator/messages/accounts.ts'
import type { Organization } from '../../../operations/operator/messages/organizations.ts'
import type { StoredProvider } from '../../../operations/operator/messages/providers.ts'
import { PasswordInput, passwordOf } from '../../shared/sign-in/password-input.tsx'
import { t } from '../../words/words.ts'
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
    return act('POST', '/accounts', { body, done: t('person.canSignIn', { name }), reload: onAdded })
  }
  return (
    <EntryForm class="panel wide" autocomplete="off" onEnter={create}>
      <h2>{t('person.newAccount')}</h2>
      <label>
        {t('organization.name')}
        <input name="name" required maxLength={200} />
      </label>
      <label>
        {t('signIn.email')}
        <input name="email" type="email" required maxLength={254} />
      </label>
      <label>
        {t('person.role')}
        <select value={role} onChange={(event) => setRole(event.currentTarget.value as Role)}>
          <option value="signer">{t('role.signer')}</option>
          <option value="administrator">{t('role.administratorOf')}</option>
          <option value="operator">{t('role.operator')}</option>
        </select>
      </label>
      {role === 'signer' && <ProviderSelect />}
      {role === 'administrator' && <OrganizationSelect organizations={organizations} />}
      <PasswordInput label={t('signIn.password')} />
      <button type="submit" class="primary">
        {t('person.addAccount')}
      </button>
    </EntryForm>
  )
}

function ProviderSelect() {
  const [providers] = useLive<StoredProvider[]>('/providers')
  return (
    <label>
      {t('person.provider')}
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
