/** Who may sign in to the pages, and as what. */
import { useState } from 'preact/hooks'
import type { Person } from '../../../operations/operator/messages/accounts.ts'
import type { Organization } from '../../../operations/operator/messages/organizations.ts'
import type { Visitor } from '../../shared/sign-in/account.ts'
import { ConsolePage } from '../console-page.tsx'
import { useLive } from '../live.ts'
import { Table } from '../table.tsx'
import { NewAccount } from './new-account.tsx'
import { PasswordDialog } from './password-dialog.tsx'

export function Accounts({ visitor }: { visitor: Visitor }) {
  const [accounts, reload] = useLive<Person[]>('/accounts')
  const [organizations] = useLive<Organization[]>('/organizations')
  const [changing, setChanging] = useState<Person | null>(null)
  const homeOf = ({ npi, organizationId }: Person) => {
    if (npi) return `NPI ${npi}`
    if (organizationId === null) return '—'
    return organizations?.find(({ id }) => id === organizationId)?.name ?? `${organizationId}`
  }
  return (
    <ConsolePage title="Accounts">
      <Table
        rows={accounts}
        keyOf={({ id }) => id}
        columns={[
          { name: 'Name', cell: ({ name }) => name },
          { name: 'E-mail', cell: ({ email }) => email },
          { name: 'Role', cell: ({ role }) => role },
          { name: 'Belongs to', cell: homeOf },
        ]}
        actions={(person) => (
          <button
            type="button"
            class="small"
            aria-label={`New password for ${person.name}`}
            onClick={() => setChanging(person)}
          >
            New password
          </button>
        )}
      />
      <NewAccount isOperator={visitor.role === 'operator'} organizations={organizations ?? []} onAdded={reload} />
      {changing && (
        <PasswordDialog person={changing} isOwn={changing.email === visitor.email} onClose={() => setChanging(null)} />
      )}
    </ConsolePage>
  )
}
