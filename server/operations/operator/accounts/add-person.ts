/** Adds a person who may sign in. Its rules: a signer has an NPI, an administrator an organization, and neither has the other. */
import type { Actor } from '../../../domain/audit.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { hashPassword } from '../../../people/password.ts'
import { passwordProblem } from '../../../people/password-problem.ts'
import type { Person, PersonRole } from '../../../store/directory/people.ts'
import type { Store } from '../../../store/store.ts'

export interface NewAccount {
  email: string
  name: string
  role: PersonRole
  /** Of a signer. */
  npi?: string | null | undefined
  /** Of an administrator. */
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
  const email = asked.email.trim().toLowerCase()
  const name = asked.name.trim()
  const problems = await personProblems(store, { ...asked, email, name })
  if (problems.length > 0) throw new Refusal('invalid', ...problems)
  const person = { email, name, role: asked.role, npi: asked.npi ?? null, organizationId: asked.organizationId ?? null }
  const id = await store.people.create({ ...person, passwordHash: await hashPassword(asked.password) }, at, by)
  if (id === null) throw new Refusal('conflict', 'email: somebody has this e-mail address already')
  return { id, ...person, disabledAt: null, removedAt: null }
}

/** Returns everything that is wrong with a new account, whose `email` and `name` have no white space around them. */
export async function personProblems(
  store: Pick<Store, 'providers' | 'organizations'>,
  asked: NewAccount,
): Promise<string[]> {
  const { email, name, password } = asked
  const found = [
    EMAIL.test(email) ? null : 'email: an e-mail address',
    await belongingProblem(store, asked),
    await passwordProblem(password, { name, email }),
  ]
  return found.filter((problem) => problem !== null)
}

const EMAIL = /^[^\s@]+@[^\s@]+$/

async function belongingProblem(
  store: Pick<Store, 'providers' | 'organizations'>,
  { role, npi = null, organizationId = null }: NewAccount,
): Promise<string | null> {
  if (role !== 'signer' && npi !== null) return 'npi: only a signer has one'
  if (role !== 'administrator' && organizationId !== null) return 'organizationId: only an administrator has one'
  if (role === 'signer' && !(npi && (await store.providers.find(npi))))
    return 'npi: the NPI of a provider of this service'
  if (role === 'administrator' && !(organizationId && (await store.organizations.find(organizationId))))
    return 'organizationId: the id of an organization of this service'
  return null
}
