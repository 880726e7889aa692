/** Who may sign in to the pages, and as what; and the ends of their accounts. */
import { useState } from 'preact/hooks'
import type { Person } from '../../../operations/operator/messages/accounts.ts'
import type { Organization } from '../../../operations/operator/messages/organizations.ts'
import type { Visitor } from '../../shared/sign-in/account.ts'
import { OwnPasswordDialog } from '../../shared/sign-in/own-password-dialog.tsx'
import { act } from '../act.ts'
import { ConsolePage } from '../console-page.tsx'
import { useLive } from '../live.ts'
import { Table } from '../table.tsx'
import { AccountEnd, type End } from './account-end.tsx'
import { NewAccount } from './new-account.tsx'
import { PasswordDialog } from './password-dialog.tsx'

const stateOf = ({ disabledAt, isLocked }: Person) => (disabledAt ? 'disabled' : isLocked ? 'locked' : 'active')

const unlock = ({ id, name }: Person, reload: () => Promise<void>) =>
  act('POST', `/accounts/${id}/unlock`, { done: `${name} can try to sign in again at once.`, reload })

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
  const endButton = (person: Person, end: End, text: string) => (
    <button
      type="button"
      class="small"
      aria-label={`${text} ${person.name}`}
      onClick={() => setEnding({ person, end })}
    >
      {text}
    </button>
  )
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
          { name: 'State', cell: stateOf },
        ]}
        actions={(person) => (
          <>
            <button
              type="button"
              class="small"
              aria-label={`New password for ${person.name}`}
              onClick={() => setChanging(person)}
            >
              New password
            </button>
            {person.isLocked && (
              <button
                type="button"
                class="small"
                aria-label={`Unlock ${person.name}`}
                onClick={() => void unlock(person, reload)}
              >
                Unlock
              </button>
            )}
            {!isOwn(person) && (
              <>
                {person.disabledAt ? endButton(person, 'enable', 'Enable') : endButton(person, 'disable', 'Disable')}
                {endButton(person, 'remove', 'Remove')}
              </>
            )}
          </>
        )}
      />
      <NewAccount isOperator={visitor.role === 'operator'} organizations={organizations ?? []} onAdded={reload} />
      {changing && isOwn(changing) && visitor.hasPassword && <OwnPasswordDialog onClose={() => setChanging(null)} />}
      {changing && !(isOwn(changing) && visitor.hasPassword) && (
        <PasswordDialog person={changing} isOwn={isOwn(changing)} onClose={() => setChanging(null)} />
      )}
      {ending && <AccountEnd {...ending} reload={reload} onClose={() => setEnding(null)} />}
    </ConsolePage>
  )
}
