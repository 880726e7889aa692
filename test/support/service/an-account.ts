/** Accounts whose passwords take a hundredth of the time of the service's: for tests that enter passwords hundreds of times. */
import { scryptSync } from 'node:crypto'
import { OPERATOR } from '../../../server/domain/audit.ts'
import type { NewAccount } from '../../../server/operations/operator/accounts/add-person.ts'
import type { Store } from '../../../server/store/store.ts'

const N = 2 ** 8

/** Returns the id of a new person. Checks nothing. */
export async function anAccount(store: Pick<Store, 'people'>, asked: NewAccount): Promise<number> {
  const { email, name, role, npi = null, organizationId = null, password } = asked
  const person = { email, name, role, npi, organizationId, passwordHash: quickHash(password) }
  const id = await store.people.create(person, new Date(), OPERATOR)
  if (id === null) throw new Error(`${email} is an account already.`)
  return id
}

/** A password's hash in the form of the service's. */
export function quickHash(password: string): string {
  const salt = Buffer.alloc(16, 5)
  const key = scryptSync(password.normalize('NFKC'), salt, 32, { N, r: 8, p: 1 })
  return ['scrypt', N, 8, 1, salt.toString('base64'), key.toString('base64')].join('$')
}
