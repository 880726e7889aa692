/** Accounts: an operator gives them to anybody, an administrator only to administrators of their own organization. */
import * as z from 'zod'
import { ErrorBody } from '../../../lib/contract/error.ts'
import { Refusal } from '../../domain/refusal.ts'
import { hashPassword } from '../../people/password.ts'
import { passwordProblem } from '../../people/password-problem.ts'
import { property } from '../property.ts'
import { addPerson, type NewAccount, personProblems } from './add-person.ts'
import { idParams } from './id-params.ts'
import { AccountBody, PasswordBody, Person } from './messages/accounts.ts'
import { isOperator, type OperatorContext, operatorRow, STAFF } from './operator-context.ts'

const group = 'Accounts'

export const listAccounts = operatorRow({
  method: 'get',
  path: '/admin/v1/accounts',
  group,
  summary: 'List who may sign in to the pages',
  who: STAFF,
  responses: { 200: z.array(Person) },
  run: async (context) => (await context.store.people.list()).filter((person) => mayManage(context, person)),
})

export const createAccount = operatorRow({
  method: 'post',
  path: '/admin/v1/accounts',
  group,
  summary: 'Add somebody who may sign in to the pages',
  who: STAFF,
  body: AccountBody,
  responses: { 201: Person, 403: ErrorBody, 409: ErrorBody },
  async run(context, { body }) {
    if (!mayManage(context, body))
      throw new Refusal('forbidden', 'role: you may add administrators of your own organization')
    return addPerson(context.store, body, context.at, context.by)
  },
  /** Only an operator is told more: the errors show who and what there is in the service. */
  async examine(context, body) {
    const { role, npi, organizationId } = AccountBody.shape
    const read = <S extends z.ZodType>(schema: S, name: string) => schema.safeParse(property(body, name)).data
    const askedRole = read(role, 'role')
    if (!askedRole || !isOperator(context)) return []
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

/** Ends every session of the person, the caller's own included. */
export const setPassword = operatorRow({
  method: 'post',
  path: '/admin/v1/accounts/:id/password',
  group,
  summary: 'Give a new password, which ends every session of the person',
  who: STAFF,
  params: idParams('the account'),
  body: PasswordBody,
  responses: { 204: null, 404: ErrorBody },
  async run(context, { params: { id }, body: { password } }) {
    const person = await context.store.people.find(id)
    if (!person || !mayManage(context, person)) throw new Refusal('notFound', `There is no account ${id}.`)
    const problem = await passwordProblem(password, person)
    if (problem) throw new Refusal('invalid', problem)
    await context.store.people.setPassword(person.email, await hashPassword(password), context.at, context.by)
  },
})

/** Whether the caller may add the account, see it and give it a new password. */
const mayManage = (
  { scope }: OperatorContext,
  { role, organizationId }: Pick<NewAccount, 'role' | 'organizationId'>,
): boolean => scope === null || (role === 'administrator' && organizationId === scope)
