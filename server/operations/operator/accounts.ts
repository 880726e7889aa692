/** Accounts: an operator gives them to anybody, an administrator to administrators of their own organization. */
import * as z from 'zod'
import { ErrorBody } from '../../../lib/contract/error.ts'
import { Refusal } from '../../domain/refusal.ts'
import { hashPassword } from '../../people/password.ts'
import { passwordProblem } from '../../people/password-problem.ts'
import type { Person as StoredPerson } from '../../store/directory/people.ts'
import { property } from '../property.ts'
import { addPerson, personProblems } from './add-person.ts'
import { AccountBody, PasswordBody, Person } from './messages/accounts.ts'
import { isOperator, type OperatorContext, operatorRow, STAFF } from './operator-context.ts'
import { pathOf } from './path.ts'

const group = 'Accounts'

export const listAccounts = operatorRow({
  method: 'get',
  path: '/admin/v1/accounts',
  group,
  summary: 'List who may sign in to the pages',
  who: STAFF,
  responses: { 200: z.array(Person) },
  run: async (context) => (await context.store.people.list()).filter((person) => mayHave(context, person)),
})

export const createAccount = operatorRow({
  method: 'post',
  path: '/admin/v1/accounts',
  group,
  summary: 'Add somebody who may sign in to the pages',
  who: STAFF,
  body: AccountBody,
  responses: { 201: Person, 403: ErrorBody, 409: ErrorBody },
  async run(context, { body: { npi, organizationId, ...account } }) {
    if (!mayHave(context, { role: account.role, organizationId: organizationId ?? null }))
      throw new Refusal('forbidden', 'role: you may add administrators of your own organization')
    const belonging = { npi: npi ?? undefined, organizationId: organizationId ?? undefined }
    return addPerson(context.store, { ...account, ...belonging }, context.at, context.by)
  },
  /** Only an operator is told more: it says who and what there is in the service. */
  async examine(context, body) {
    const { role, npi, organizationId } = AccountBody.shape
    const read = <S extends z.ZodType>(schema: S, name: string) => schema.safeParse(property(body, name)).data
    const asked = read(role, 'role')
    if (!asked || !isOperator(context)) return []
    return personProblems(context.store, {
      email: String(property(body, 'email') ?? ''),
      name: String(property(body, 'name') ?? ''),
      role: asked,
      npi: read(npi, 'npi') ?? undefined,
      organizationId: read(organizationId, 'organizationId') ?? undefined,
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
  params: pathOf('the account'),
  body: PasswordBody,
  responses: { 204: null, 404: ErrorBody },
  async run(context, { params: { id }, body: { password } }) {
    const person = await context.store.people.find(id)
    if (!person || !mayHave(context, person)) throw new Refusal('notFound', `There is no account ${id}.`)
    const problem = await passwordProblem(password, person)
    if (problem) throw new Refusal('invalid', problem)
    await context.store.people.setPassword(person.email, await hashPassword(password), context.at, context.by)
  },
})

const mayHave = (
  { scope }: OperatorContext,
  { role, organizationId }: Pick<StoredPerson, 'role' | 'organizationId'>,
): boolean => scope === null || (role === 'administrator' && organizationId === scope)
