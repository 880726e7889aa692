/** Finds organizations as people name them on the command line. */
import type { Organization } from '../../operations/operator/messages/organizations.ts'
import type { OperatorContext } from '../../operations/operator/operator-context.ts'
import { listOrganizations } from '../../operations/operator/organizations.ts'
import { perform } from '../../operations/perform.ts'

/** Finds an organization by id or by name. Throws when there is none. */
export async function organizationOf(context: OperatorContext, nameOrId: string): Promise<Organization> {
  const all = await perform(listOrganizations, context)
  const found = all.find(({ id }) => String(id) === nameOrId) ?? all.find(({ name }) => name === nameOrId)
  if (!found) throw new Error(`There is no organization ${nameOrId}. countersign organizations list shows them.`)
  return found
}

/** Returns a function that gives the name of an organization by its id. */
export async function organizationNames(context: OperatorContext): Promise<(id: number) => string | undefined> {
  const names = new Map((await perform(listOrganizations, context)).map(({ id, name }) => [id, name]))
  return (id) => names.get(id)
}
