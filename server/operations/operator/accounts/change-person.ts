/** The change of an account that a caller may make. An administrator changes names: an address or a role could be another's. */
import { emailOf, NOT_AN_EMAIL } from '../../../domain/email.ts'
import { Refusal } from '../../../domain/refusal.ts'
import type { AccountChange } from '../../../store/directory/account-changes.ts'
import type { Person } from '../../../store/directory/people.ts'
import type { AccountChangeBody } from '../messages/accounts.ts'
import { isOperator, type OperatorContext } from '../operator-context.ts'
import { accountProblems, whoseProblems } from './add-person.ts'

/**
 * Returns the change. A new role takes what the old one had, so that a signer who becomes an operator has no NPI. Refuses with
 * everything that is wrong.
 */
export async function allowedChange(
  context: OperatorContext,
  person: Person,
  { name, ...given }: Omit<AccountChangeBody, 'isActive'>,
): Promise<AccountChange> {
  if (Object.keys(given).length > 0 && !isOperator(context))
    throw new Refusal('forbidden', 'Only the operator of the service changes more than the name.')
  const role = given.role ?? person.role
  const kept = role === person.role ? person : { npi: null, organizationId: null }
  const after = {
    email: given.email === undefined ? person.email : (emailOf(given.email) ?? ''),
    role,
    npi: given.npi === undefined ? kept.npi : given.npi,
    organizationId: given.organizationId === undefined ? kept.organizationId : given.organizationId,
  }
  const problems = [
    ...(after.email === '' ? [NOT_AN_EMAIL] : accountProblems(after)),
    ...(await whoseProblems(context.store, after)),
  ]
  if (problems.length > 0) throw new Refusal('invalid', ...problems)
  const changed = Object.entries({ ...after, name: name?.trim() ?? person.name }).filter(
    ([member, value]) => person[member as keyof Person] !== value,
  )
  return Object.fromEntries(changed) as AccountChange
}
