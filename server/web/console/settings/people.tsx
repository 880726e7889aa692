/** Everyone who signs or may sign in, in one list, and the ends of their accounts. */
import { useState } from 'preact/hooks'
import type { Person } from '../../../operations/operator/messages/accounts.ts'
import type { Organization } from '../../../operations/operator/messages/organizations.ts'
import type { StoredProvider } from '../../../operations/operator/messages/providers.ts'
import { localTime } from '../../shared/format.ts'
import { useListQuery } from '../../shared/route.ts'
import type { Visitor } from '../../shared/sign-in/account.ts'
import { OwnPasswordDialog } from '../../shared/sign-in/own-password-dialog.tsx'
import { t } from '../../words/words.ts'
import { ConsolePage } from '../console-page.tsx'
import { Filter } from '../filter.tsx'
import { useLive } from '../live.ts'
import { Table } from '../table.tsx'
import { AccountActions } from './account-actions.tsx'
import { AccountEnd, type End } from './account-end.tsx'
import { EditPersonDialog } from './edit-person-dialog.tsx'
import { MembershipDialog } from './membership-dialog.tsx'
import { NewAccount } from './new-account.tsx'
import { NewProvider } from './new-provider.tsx'
import { NoticesDialog } from './notices-dialog.tsx'
import { PasswordDialog } from './password-dialog.tsx'
import { narrowed, type PersonRow, peopleOf, states } from './people-rows.ts'
import { SignerActive } from './signer-active.tsx'

/** Only an operator sees the signers, because they concern every sender. */
export const People = ({ visitor }: { visitor: Visitor }) =>
  visitor.role === 'operator' ? <AllPeople visitor={visitor} /> : <PeopleList visitor={visitor} signers={[]} />

function AllPeople({ visitor }: { visitor: Visitor }) {
  const [signers, reload] = useLive<StoredProvider[]>('/providers')
  return <PeopleList visitor={visitor} signers={signers} reloadSigners={reload} />
}

interface PeopleListProps {
  visitor: Visitor
  /** Null until they are known. */
  signers: readonly StoredProvider[] | null
  reloadSigners?(): Promise<void>
}

type Dialog =
  | { for: 'password' | 'edit'; person: Person }
  | { for: 'end'; person: Person; end: End }
  | { for: 'organizations' | 'e-mails'; signer: StoredProvider }

function PeopleList({ visitor, signers, reloadSigners = async () => {} }: PeopleListProps) {
  const [accounts, reloadAccounts] = useLive<Person[]>('/accounts')
  const [organizations] = useLive<Organization[]>('/organizations')
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const [query, narrow] = useListQuery()
  const of = (name: string) => query.get(name) ?? ''
  const people = signers && accounts && peopleOf(signers, accounts, organizations ?? [])
  const narrowing = { text: of('text'), role: of('role'), organization: of('organization'), state: of('state') }
  const shown = people && narrowed(people, narrowing)
  const isOwn = ({ email }: Person) => email === visitor.email
  const close = () => setDialog(null)
  return (
    <ConsolePage title={t('console.people')}>
      <div class="filters">
        <label class="filter">
          {t('people.find')}
          <input
            type="search"
            placeholder={t('people.findWhat')}
            value={narrowing.text}
            onInput={(event) => narrow({ text: event.currentTarget.value })}
          />
        </label>
        <Filter label={t('people.who')} value={narrowing.role} options={ROLES} onChange={(role) => narrow({ role })} />
        <Filter
          label={t('people.at')}
          value={narrowing.organization}
          options={[['', t('filter.all')], ...namesOf(people ?? []).map((name) => [name, name] as const)]}
          onChange={(organization) => narrow({ organization })}
        />
        <Filter
          label={t('list.state')}
          value={narrowing.state}
          options={[['', t('filter.all')], ...states.map((state) => [state, t(`person.state.${state}`)] as const)]}
          onChange={(state) => narrow({ state })}
        />
      </div>
      <Table
        class="accounts"
        rows={shown}
        keyOf={({ key }) => key}
        empty={t('people.noMatch')}
        columns={[
          {
            name: t('organization.name'),
            cell: ({ name, signer, account }) => (
              <>
                {name}
                {(signer || account?.npi) && <small>{t('find.npi', { npi: signer?.npi ?? account?.npi ?? '' })}</small>}
                {account && <small class="address">{account.email}</small>}
              </>
            ),
          },
          { name: t('console.organizations'), cell: (person) => person.organizations.join('; ') || '—' },
          { name: t('person.role'), isShort: true, cell: ({ role }) => t(`role.${role}`) },
          {
            name: t('people.lastSignIn'),
            cell: ({ account }) =>
              account?.lastSignInAt ? localTime(account.lastSignInAt) : account ? t('people.never') : '—',
          },
          { name: t('list.state'), cell: (person) => <State person={person} reload={reloadSigners} /> },
        ]}
        actions={({ signer, account }) => (
          <>
            {signer && (
              <>
                <SmallButton
                  text={t('console.organizations')}
                  label={t('people.organizationsOf', { name: signer.signingName })}
                  onClick={() => setDialog({ for: 'organizations', signer })}
                />
                <SmallButton
                  text={t('people.emails')}
                  label={t('emails.to', { name: signer.signingName })}
                  onClick={() => setDialog({ for: 'e-mails', signer })}
                />
              </>
            )}
            {account && (
              <AccountActions
                person={account}
                isOwn={isOwn(account)}
                onPassword={() => setDialog({ for: 'password', person: account })}
                onEdit={() => setDialog({ for: 'edit', person: account })}
                onEnd={(end) => setDialog({ for: 'end', person: account, end })}
                reload={reloadAccounts}
              />
            )}
          </>
        )}
      />
      {visitor.role === 'operator' ? (
        <>
          <NewProvider organizations={organizations ?? []} onAdded={reloadSigners} />
          <NewAccount organizations={organizations ?? []} onAdded={reloadAccounts} />
        </>
      ) : (
        <p class="hint">{t('people.askOperator')}</p>
      )}
      {dialog?.for === 'password' &&
        (isOwn(dialog.person) && visitor.hasPassword ? (
          <OwnPasswordDialog onClose={close} />
        ) : (
          <PasswordDialog person={dialog.person} isOwn={isOwn(dialog.person)} onClose={close} />
        ))}
      {dialog?.for === 'edit' && (
        <EditPersonDialog
          person={dialog.person}
          isOwn={isOwn(dialog.person)}
          isOperator={visitor.role === 'operator'}
          signers={signers ?? []}
          organizations={organizations ?? []}
          reload={reloadAccounts}
          onClose={close}
        />
      )}
      {dialog?.for === 'end' && (
        <AccountEnd person={dialog.person} end={dialog.end} reload={reloadAccounts} onClose={close} />
      )}
      {dialog?.for === 'e-mails' && <NoticesDialog provider={dialog.signer} onClose={close} />}
      {dialog?.for === 'organizations' && (
        <MembershipDialog
          provider={dialog.signer}
          organizations={organizations ?? []}
          onChange={reloadSigners}
          onClose={close}
        />
      )}
    </ConsolePage>
  )
}

const ROLES = [
  ['', t('filter.all')],
  ['signer', t('people.signers')],
  ['administrator', t('people.administrators')],
  ['operator', t('people.operators')],
] as const

/** Returns the names of the organizations of these people, in order. */
const namesOf = (people: readonly PersonRow[]): string[] =>
  [...new Set(people.flatMap(({ organizations }) => organizations))].toSorted()

function State({ person: { signer, account, state }, reload }: { person: PersonRow; reload(): Promise<void> }) {
  return (
    <>
      {signer && <SignerActive signer={signer} reload={reload} />} {t(`person.state.${state}`)}
      {account?.hasSecondFactor && <small> {t('people.withFactor')}</small>}
    </>
  )
}

interface SmallButtonProps {
  text: string
  label: string
  onClick(): void
}

const SmallButton = ({ text, label, onClick }: SmallButtonProps) => (
  <button type="button" class="small" aria-label={label} onClick={onClick}>
    {text}
  </button>
)
