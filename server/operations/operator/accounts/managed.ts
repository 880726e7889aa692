/** Which accounts a caller may manage: an operator all of them, an administrator those of their own organization's administrators. */
import { Refusal } from '../../../domain/refusal.ts'
import type { Person } from '../../../store/directory/people.ts'
import type { OperatorContext } from '../operator-context.ts'
import type { NewAccount } from './add-person.ts'

/** Refuses with `notFound` an account that is not there, or that the caller may not manage. */
export async function found(context: OperatorContext, id: number): Promise<Person> {
  const person = await context.store.people.find(id)
  if (!person || !mayManage(context, person)) throw new Refusal('notFound', `There is no account ${id}.`)
  return person
}

/** Whether the account is that of the caller, who is signed in with it. */
export const isSelf = ({ by }: OperatorContext, id: number): boolean => by.kind === 'operator' && by.id === String(id)

/** Whether the caller may add the account, see it, change it and end it. */
export const mayManage = (
  { scope }: OperatorContext,
  { role, organizationId }: Pick<NewAccount, 'role' | 'organizationId'>,
): boolean => scope === null || (role === 'administrator' && organizationId === scope)
