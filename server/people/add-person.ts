/** Adds a person who may sign in. The rules of who belongs to what are here, for the command line and the console alike. */
import type { Actor } from '../domain/audit.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Person, PersonRole } from '../store/people.ts'
import type { Store } from '../store/store.ts'
import { hashPassword } from './password.ts'
import { passwordProblem } from './password-problem.ts'

export interface PersonWish {
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
  wish: PersonWish,
  at: Date,
  by: Actor,
): Promise<Person> {
  const email = wish.email.trim().toLowerCase()
  const name = wish.name.trim()
  const problems = await personProblems(store, { ...wish, email, name })
  if (problems.length > 0) throw new Refusal('invalid', ...problems)
  const { role, npi = null, organizationId = null } = wish
  const person = { email, name, role, npi, organizationId }
  const id = await store.people.create({ ...person, passwordHash: await hashPassword(wish.password) }, at, by)
  if (id === null) throw new Refusal('conflict', 'email: somebody has this e-mail address already')
  return { id, ...person }
}

/** Everything that is wrong with somebody who is to be added; `email` and `name` without white space around them. */
export async function personProblems(
  store: Pick<Store, 'providers' | 'organizations'>,
  wish: PersonWish,
): Promise<string[]> {
  const { email, name, password } = wish
  return [
    ...(/^[^\s@]+@[^\s@]+$/.test(email) && email.length <= 254 ? [] : ['email: an e-mail address']),
    ...(name === '' || name.length > 200 ? ['name: text of up to 200 characters'] : []),
    ...(await belongingProblems(store, wish)),
    ...[await passwordProblem(password, { name, email })].filter((problem) => problem !== null),
  ]
}

async function belongingProblems(
  store: Pick<Store, 'providers' | 'organizations'>,
  { role, npi, organizationId }: PersonWish,
): Promise<string[]> {
  if (role !== 'signer' && npi !== undefined) return ['npi: only a signer has one']
  if (role !== 'administrator' && organizationId !== undefined) return ['organization: only an administrator has one']
  if (role === 'signer' && !(npi && (await store.providers.find(npi))))
    return ['npi: the NPI of a provider of this service']
  if (role === 'administrator' && !(organizationId && (await store.organizations.find(organizationId))))
    return ['organization: the id of an organization of this service']
  return []
}
