/** Adds a person who may sign in. Its rules: a signer has an NPI, an administrator an organization, and neither has the other. */
import type { Actor } from '../../../domain/audit.ts'
import { emailOf, NOT_AN_EMAIL } from '../../../domain/email.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { hashPassword } from '../../../people/password.ts'
import { passwordProblem } from '../../../people/password-problem.ts'
import type { Person, PersonRole } from '../../../store/directory/people.ts'
import type { Store } from '../../../store/store.ts'

export interface NewAccount {
  email: string
  name: string
  role: PersonRole
  /** Set for signers. */
  npi?: string | null | undefined
  /** Set for administrators. */
  organizationId?: number | null | undefined
  password: string
}

/** Returns the person, with an id. Refuses with everything that is wrong. */
export async function addPerson(
  store: Pick<Store, 'people' | 'providers' | 'organizations'>,
  asked: NewAccount,
  at: Date,
  by: Actor,
): Promise<Person> {
  const email = emailOf(asked.email) ?? ''
  const name = asked.name.trim()
  const problems = await personProblems(store, { ...asked, email, name })
  if (problems.length > 0) throw new Refusal('invalid', ...problems)
  const person = { email, name, role: asked.role, npi: asked.npi ?? null, organizationId: asked.organizationId ?? null }
  const id = await store.people.create({ ...person, passwordHash: await hashPassword(asked.password) }, at, by)
  if (id === null) throw new Refusal('conflict', 'email: another account has this e-mail address')
  return { id, ...person, disabledAt: null, removedAt: null, lastSignInAt: null }
}

/** Returns everything that is wrong with a new account, whose `email` and `name` have no white space around them. */
export async function personProblems(
  store: Pick<Store, 'providers' | 'organizations'>,
  asked: NewAccount,
): Promise<string[]> {
  const { email, name, password } = asked
  const found = [
    ...accountProblems(asked),
    ...(await whoseProblems(store, asked)),
    await passwordProblem(password, { name, email }),
  ]
  return found.filter((problem) => problem !== null)
}

/** Returns what is wrong with the provider or the organization that the account is of. */
export async function whoseProblems(
  store: Pick<Store, 'providers' | 'organizations'>,
  { role, npi, organizationId }: Pick<NewAccount, 'role' | 'npi' | 'organizationId'>,
): Promise<string[]> {
  if (npi && role === 'signer' && !(await store.providers.find(npi))) return [NOT_A_PROVIDER]
  if (organizationId && role === 'administrator' && !(await store.organizations.find(organizationId)))
    return [NOT_AN_ORGANIZATION]
  return []
}

/** Returns what is wrong with a new account in any store. */
export function accountProblems({
  email,
  role,
  npi = null,
  organizationId = null,
}: Omit<NewAccount, 'name' | 'password'>): string[] {
  const found = [
    emailOf(email) !== null ? null : NOT_AN_EMAIL,
    role !== 'signer' && npi !== null ? 'npi: only a signer has one' : null,
    role === 'signer' && npi === null ? NOT_A_PROVIDER : null,
    role !== 'administrator' && organizationId !== null ? 'organizationId: only an administrator has one' : null,
    role === 'administrator' && organizationId === null ? NOT_AN_ORGANIZATION : null,
  ]
  return found.filter((problem) => problem !== null)
}

const NOT_A_PROVIDER = 'npi: the NPI of a provider of this service'
const NOT_AN_ORGANIZATION = 'organizationId: the id of an organization of this service'
