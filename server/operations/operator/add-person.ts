/** Adds a person who may sign in: the rules of who belongs to what. */
import type { Actor } from '../../domain/audit.ts'
import { Refusal } from '../../domain/refusal.ts'
import { hashPassword } from '../../people/password.ts'
import { passwordProblem } from '../../people/password-problem.ts'
import type { Person, PersonRole } from '../../store/directory/people.ts'
import type { Store } from '../../store/store.ts'

export interface NewAccount {
  email: string
  name: string
  role: PersonRole
  npi?: string | undefined
  organizationId?: number | undefined
  password: string
}

/** Refuses with everything that is wrong. */
export async function addPerson(
  store: Pick<Store, 'people' | 'providers' | 'organizations'>,
  asked: NewAccount,
  at: Date,
  by: Actor,
): Promise<Person> {
  const email = asked.email.trim().toLowerCase()
  const name = asked.name.trim()
  const problems = await personProblems(store, { ...asked, email, name })
  if (problems.length > 0) throw new Refusal('invalid', ...problems)
  const { role, npi = null, organizationId = null } = asked
  const person = { email, name, role, npi, organizationId }
  const id = await store.people.create({ ...person, passwordHash: await hashPassword(asked.password) }, at, by)
  if (id === null) throw new Refusal('conflict', 'email: somebody has this e-mail address already')
  return { id, ...person }
}

/** Everything that is wrong with somebody who is to be added; `email` and `name` without white space around them. */
export async function personProblems(
  store: Pick<Store, 'providers' | 'organizations'>,
  asked: NewAccount,
): Promise<string[]> {
  const { email, name, password } = asked
  return [
    ...(/^[^\s@]+@[^\s@]+$/.test(email) ? [] : ['email: an e-mail address']),
    ...(await belongingProblems(store, asked)),
    ...[await passwordProblem(password, { name, email })].filter((problem) => problem !== null),
  ]
}

async function belongingProblems(
  store: Pick<Store, 'providers' | 'organizations'>,
  { role, npi, organizationId }: NewAccount,
): Promise<string[]> {
  if (role !== 'signer' && npi !== undefined) return ['npi: only a signer has one']
  if (role !== 'administrator' && organizationId !== undefined) return ['organizationId: only an administrator has one']
  if (role === 'signer' && !(npi && (await store.providers.find(npi))))
    return ['npi: the NPI of a provider of this service']
  if (role === 'administrator' && !(organizationId && (await store.organizations.find(organizationId))))
    return ['organizationId: the id of an organization of this service']
  return []
}
