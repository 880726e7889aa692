/** The people of a service in one list: signers, with their accounts, and the staff. */
import type { Person } from '../../../operations/operator/messages/accounts.ts'
import type { Organization } from '../../../operations/operator/messages/organizations.ts'
import type { StoredProvider } from '../../../operations/operator/messages/providers.ts'
import { t } from '../../words/words.ts'

export interface PersonRow {
  key: string
  name: string
  role: Person['role']
  /** Set for signers. */
  signer: StoredProvider | null
  /** Null for a signer who cannot sign in. */
  account: Person | null
  /** The names of the organizations, the primary one first. */
  organizations: readonly string[]
  state: PersonState
}

export const states = ['active', 'inactive', 'disabled', 'locked', 'none'] as const
export type PersonState = (typeof states)[number]

export interface Narrowing {
  text: string
  role: string
  organization: string
  state: string
}

/** Returns the signers, then the other accounts, in the order of the given lists. */
export function peopleOf(
  signers: readonly StoredProvider[],
  accounts: readonly Person[],
  organizations: readonly Organization[],
): PersonRow[] {
  // A signer may have several accounts: each of the others has a line of its own.
  const accountOf = (npi: string) => accounts.find((account) => account.npi === npi) ?? null
  const shown = new Set(signers.map(({ npi }) => accountOf(npi)))
  return [
    ...signers.map((signer): PersonRow => {
      const account = accountOf(signer.npi)
      return {
        key: `signer ${signer.npi}`,
        name: signer.signingName,
        role: 'signer',
        signer,
        account,
        organizations: signer.organizations.map(nameOf),
        state: signer.isActive ? stateOf(account) : 'inactive',
      }
    }),
    ...accounts
      .filter((account) => !shown.has(account))
      .map(
        (account): PersonRow => ({
          key: `account ${account.id}`,
          name: account.name,
          role: account.role,
          signer: null,
          account,
          organizations: organizations.filter(({ id }) => id === account.organizationId).map(({ name }) => name),
          state: stateOf(account),
        }),
      ),
  ]
}

/** Returns the people whom the filters and the words leave: each word is in the name, the NPI, or the e-mail address. */
export function narrowed(people: readonly PersonRow[], { text, role, organization, state }: Narrowing): PersonRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return people.filter((person) => {
    const { name, signer, account } = person
    const searched = [name, account?.name, account?.email, signer?.npi ?? account?.npi].join(' ').toLowerCase()
    return (
      (role === '' || person.role === role) &&
      (organization === '' || person.organizations.includes(organization)) &&
      (state === '' || person.state === state) &&
      words.every((word) => searched.includes(word))
    )
  })
}

function stateOf(account: Person | null): PersonState {
  if (!account) return 'none'
  if (account.disabledAt) return 'disabled'
  return account.isLocked ? 'locked' : 'active'
}

/** An inactive organization receives nothing, although the signer signs there. */
const nameOf = ({ name, isActive }: StoredProvider['organizations'][number]) =>
  isActive ? name : t('member.inactive', { name })
