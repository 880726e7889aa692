/** The console's accounts: an operator gives them to anybody, an administrator to administrators of the own organization. */
import { type Clock, timeOf } from '../../lib/clock.ts'
import { Refusal } from '../domain/refusal.ts'
import type { PageApi, PageCall } from '../http/page-api.ts'
import { parse } from '../http/parse.ts'
import { addPerson } from '../people/add-person.ts'
import { hashPassword } from '../people/password.ts'
import { passwordProblem } from '../people/password-problem.ts'
import type { Person, Visitor } from '../store/people.ts'
import type { Store } from '../store/store.ts'
import { AccountBody, PasswordBody } from './admin-messages.ts'
import { scopeOf } from './task-routes.ts'

export type AccountStore = Pick<Store, 'organizations' | 'people' | 'providers'>

export function accountRoutes({ serve }: PageApi, store: AccountStore, clock: Clock): void {
  const mayHave = (visitor: Visitor, { role, organizationId }: Pick<Person, 'role' | 'organizationId'>) => {
    const scope = scopeOf(visitor)
    return scope === null || (role === 'administrator' && organizationId === scope)
  }
  const found = async ({ visitor, id }: PageCall) => {
    const person = await store.people.find(id)
    if (!person || !mayHave(visitor, person)) throw new Refusal('notFound', `There is no account ${id} for you.`)
    return person
  }

  serve('get', '/accounts', async ({ visitor }) =>
    (await store.people.list()).filter((person) => mayHave(visitor, person)),
  )

  serve('post', '/accounts', async ({ visitor, by, body }) => {
    const { npi, organizationId, ...wish } = parse(AccountBody, body)
    if (!mayHave(visitor, { role: wish.role, organizationId: organizationId ?? null }))
      throw new Refusal('forbidden', 'role: you may add administrators of your own organization')
    const belonging = { npi: npi ?? undefined, organizationId: organizationId ?? undefined }
    return addPerson(store, { ...wish, ...belonging }, timeOf(clock), by)
  })

  /** Ends every session of the person, the visitor's own included. */
  serve('post', '/accounts/:id/password', async (call) => {
    const { name, email } = await found(call)
    const { password } = parse(PasswordBody, call.body)
    const problem = await passwordProblem(password, { name, email })
    if (problem) throw new Refusal('invalid', problem)
    await store.people.setPassword(email, await hashPassword(password), timeOf(clock), call.by)
  })
}
