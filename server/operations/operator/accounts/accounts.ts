/**
 * Accounts: an operator adds them. An administrator looks after those of their own organization and adds none: the answer would say which
 * addresses have an account elsewhere, and an address could be taken before its owner has it.
 */
import * as z from 'zod'
import { ErrorBody } from '../../../../lib/contract/error.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { hashPassword } from '../../../people/password.ts'
import { passwordProblem } from '../../../people/password-problem.ts'
import { property } from '../../property.ts'
import { idParams } from '../id-params.ts'
import { AccountBody, AccountChangeBody, AccountsQuery, PasswordBody, Person } from '../messages/accounts.ts'
import { OPERATOR_ALONE, type OperatorContext, operatorRow, STAFF } from '../operator-context.ts'
import { requireChange } from '../require-change.ts'
import { addPerson, personProblems } from './add-person.ts'
import { allowedChange } from './change-person.ts'
import { found, isSelf, mayManage } from './managed.ts'

const group = 'Accounts'

export const listAccounts = operatorRow({
  method: 'get',
  path: '/admin/v1/accounts',
  group,
  summary: 'List who may sign in to the pages',
  who: STAFF,
  query: AccountsQuery,
  responses: { 200: z.array(Person) },
  async run(context, { query: { removed } }) {
    const { people, secondFactors, signInTries, identities } = context.store
    const accounts = (await (removed ? people.listRemoved() : people.list())).filter((one) => mayManage(context, one))
    const waiting = removed ? [] : accounts.map(({ email }) => email)
    const locked = await signInTries.lockedAmong(waiting, context.at)
    const owners = await secondFactors.owners()
    const linked = await identities.linkedPeople()
    return accounts.map((person) => ({
      ...person,
      isLocked: locked.has(person.email),
      hasSecondFactor: owners.has(person.id),
      isLinked: linked.has(person.id),
    }))
  },
})

export const createAccount = operatorRow({
  method: 'post',
  path: '/admin/v1/accounts',
  group,
  summary: 'Add a person who may sign in to the pages',
  who: OPERATOR_ALONE,
  scope: 'accounts',
  body: AccountBody,
  responses: { 201: Person, 409: ErrorBody },
  async run(context, { body }) {
    return {
      ...(await addPerson(context.store, body, context.at, context.by)),
      isLocked: false,
      hasSecondFactor: false,
      isLinked: false,
    }
  },
  async examine(context, body) {
    const { role, npi, organizationId } = AccountBody.shape
    const read = <S extends z.ZodType>(schema: S, name: string) => schema.safeParse(property(body, name)).data
    const askedRole = read(role, 'role')
    if (!askedRole) return []
    return personProblems(context.store, {
      email: String(property(body, 'email') ?? ''),
      name: String(property(body, 'name') ?? ''),
      role: askedRole,
      npi: read(npi, 'npi'),
      organizationId: read(organizationId, 'organizationId'),
      password: String(property(body, 'password') ?? ''),
    })
  },
})

export const setPassword = operatorRow({
  method: 'post',
  path: '/admin/v1/accounts/:id/password',
  group,
  summary: 'Give a new password, which ends every session of the person and unlocks the account',
  who: STAFF,
  scope: 'accounts',
  params: idParams('the account'),
  body: PasswordBody,
  responses: { 204: null, 404: ErrorBody, 409: ErrorBody },
  async run(context, { params: { id }, body: { password } }) {
    const { people } = context.store
    const person = await found(context, id)
    // Someone who finds a page open must not be able to take its account over.
    if (isSelf(context, id) && (await people.passwordHashOf(id)) !== null)
      throw new Refusal(
        'conflict',
        'This is your own account: change its password with the old one, under Account at the head of the page.',
      )
    const problem = await passwordProblem(password, person)
    if (problem) throw new Refusal('invalid', problem)
    await people.setPassword(id, await hashPassword(password), context.at, context.by)
  },
})

export const updateAccount = operatorRow({
  method: 'patch',
  path: '/admin/v1/accounts/:id',
  group,
  summary:
    'Change an account, disable or enable it; ends every session of the person, unless only the name changes; omitted members keep their value',
  who: STAFF,
  scope: 'accounts',
  params: idParams('the account'),
  body: AccountChangeBody,
  responses: { 204: null, 403: ErrorBody, 404: ErrorBody, 409: ErrorBody },
  async run(context, { params: { id }, body: { isActive, ...change } }) {
    const { store, at, by } = context
    const person = await found(context, id)
    requireChange({ isActive, ...change }, AccountChangeBody)
    if (isActive === false || change.role !== undefined) mustBeAnother(context, id)
    if (Object.keys(change).length > 0)
      await store.people.change(id, await allowedChange(context, person, change), at, by)
    if (isActive === true) await store.people.enable(id, at, by)
    if (isActive === false) await store.people.disable(id, at, by)
  },
})

export const signOutAccount = operatorRow({
  method: 'post',
  path: '/admin/v1/accounts/:id/sign-out',
  group,
  summary: 'Sign a person out everywhere; they can sign in again',
  who: STAFF,
  scope: 'accounts',
  params: idParams('the account'),
  responses: { 204: null, 404: ErrorBody },
  async run(context, { params: { id } }) {
    await context.store.people.signOut(await found(context, id), context.at, context.by)
  },
})

export const removeAccount = operatorRow({
  method: 'delete',
  path: '/admin/v1/accounts/:id',
  group,
  summary: 'Remove an account permanently, which ends all sessions of the person and frees the e-mail address',
  who: STAFF,
  scope: 'accounts',
  params: idParams('the account'),
  responses: { 204: null, 404: ErrorBody, 409: ErrorBody },
  async run(context, { params: { id } }) {
    const { store, at, by } = context
    await found(context, id)
    mustBeAnother(context, id)
    await store.people.remove(id, at, by)
  },
})

export const unlockAccount = operatorRow({
  method: 'post',
  path: '/admin/v1/accounts/:id/unlock',
  group,
  summary: 'Forget the failed sign-ins of an account, so that its owner need not wait',
  who: STAFF,
  scope: 'accounts',
  params: idParams('the account'),
  responses: { 204: null, 404: ErrorBody },
  async run(context, { params: { id } }) {
    const { store, at, by } = context
    await store.people.unlock(await found(context, id), at, by)
  },
})

export const unlinkAccount = operatorRow({
  method: 'post',
  path: '/admin/v1/accounts/:id/unlink',
  group,
  summary: 'Unlink an account from single sign-on, which ends the sessions that began there',
  who: STAFF,
  scope: 'accounts',
  params: idParams('the account'),
  responses: { 204: null, 404: ErrorBody },
  async run(context, { params: { id } }) {
    const { store, at, by } = context
    const { organizationId } = await found(context, id)
    await store.identities.unlink(id, organizationId, at, by)
  },
})

function mustBeAnother(context: OperatorContext, id: number): void {
  if (isSelf(context, id)) throw new Refusal('conflict', 'This is your own account. Another person has to end it.')
}
