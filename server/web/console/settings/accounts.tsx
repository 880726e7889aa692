/** Who may sign in to the pages, and as what; and the ends of their accounts. */
import { useState } from 'preact/hooks'
import type { Person } from '../../../operations/operator/messages/accounts.ts'
import type { Organization } from '../../../operations/operator/messages/organizations.ts'
import type { Visitor } from '../../shared/sign-in/account.ts'
import { OwnPasswordDialog } from '../../shared/sign-in/own-password-dialog.tsx'
import { ConsolePage } from '../console-page.tsx'
import { useLive } from '../live.ts'
import { Table } from '../table.tsx'
import { AccountActions } from './account-actions.tsx'
import { AccountEnd, type End } from './account-end.tsx'
import { NewAccount } from './new-account.tsx'
import { PasswordDialog } from './password-dialog.tsx'

const State = ({ person: { disabledAt, isLocked, hasSecondFactor } }: { person: Person }) => (
  <>
    {disabledAt ? 'disabled' : isLocked ? 'locked' : 'active'}
    {hasSecondFactor && <small> with second factor</small>}
  </>
)

export function Accounts({ visitor }: { visitor: Visitor }) {
  const [accounts, reload] = useLive<Person[]>('/accounts')
  const [organizations] = useLive<Organization[]>('/organizations')
  const [changing, setChanging] = useState<Person | null>(null)
  const [ending, setEnding] = useState<{ person: Person; end: End } | null>(null)
  const isOwn = ({ email }: Person) => email === visitor.email
  const homeOf = ({ npi, organizationId }: Person) => {
    if (npi) return `NPI ${npi}`
    if (organizationId === null) return '—'
    return organizations?.find(({ id }) => id === organizationId)?.name ?? `${organizationId}`
  }
  return (
    <ConsolePage title="Accounts">
      <Table
        class="accounts"
        rows={accounts}
        keyOf={({ id }) => id}
        columns={[
          { name: 'Name', cell: ({ name }) => name },
          { name: 'E-mail', cell: ({ email }) => email },
          { name: 'Role', isShort: true, cell: ({ role }) => role },
          { name: 'Belongs to', cell: homeOf },
          { name: 'State', cell: (person) => <State person={person} /> },
        ]}
        actions={(person) => (
          <AccountActions
            person={person}
            isOwn={isOwn(person)}
            onPassword={() => setChanging(person)}
            onEnd={(end) => setEnding({ person, end })}
            reload={reload}
          />
        )}
      />
      {visitor.role === 'operator' ? (
        <NewAccount organizations={organizations ?? []} onAdded={reload} />
      ) : (
        <p class="hint">To add an administrator, ask the operator of this service.</p>
      )}
      {changing && isOwn(changing) && visitor.hasPassword && <OwnPasswordDialog onClose={() => setChanging(null)} />}
      {changing && !(isOwn(changing) && visitor.hasPassword) && (
        <PasswordDialog person={changing} isOwn={isOwn(changing)} onClose={() => setChanging(null)} />
      )}
      {ending && <AccountEnd {...ending} reload={reload} onClose={() => setEnding(null)} />}
    </ConsolePage>
  )
}
