/** Organizations: all of them for an operator, their own for an administrator. */
import * as z from 'zod'
import { ErrorBody } from '../../../lib/contract/error.ts'
import { Refusal } from '../../domain/refusal.ts'
import { idParams } from './id-params.ts'
import { listedKeys } from './keys/listed-keys.ts'
import { ChangeBody, Organization, OrganizationBody, OrganizationFile } from './messages/organizations.ts'
import { isOperator, OPERATOR_ALONE, type OperatorContext, operatorRow, reaches, STAFF } from './operator-context.ts'
import { requireChange } from './require-change.ts'
import { requireStampable } from './require-stampable.ts'
import { requireOperatorFor } from './templates/template-rules.ts'

const group = 'Organizations'
const params = idParams('the organization')

export const listOrganizations = operatorRow({
  method: 'get',
  path: '/admin/v1/organizations',
  group,
  summary: 'List the organizations',
  who: STAFF,
  responses: { 200: z.array(Organization) },
  run: (context) => organizationsOf(context),
})

export const createOrganization = operatorRow({
  method: 'post',
  path: '/admin/v1/organizations',
  group,
  summary: 'Add an organization; no two have the same name or NPI',
  who: OPERATOR_ALONE,
  body: OrganizationBody,
  responses: { 201: z.object({ id: z.int() }), 409: ErrorBody },
  async run({ store, by, at }, { body: { npi, ...rest } }) {
    requireStampable('name', rest.name)
    return { id: await store.organizations.create({ ...rest, npi: npi ?? null }, at, by) }
  },
})

export const readOrganization = operatorRow({
  method: 'get',
  path: '/admin/v1/organizations/:id',
  group,
  summary: 'Read an organization with its keys',
  who: STAFF,
  params,
  responses: { 200: OrganizationFile, 404: ErrorBody },
  async run(context, { params: { id } }) {
    const organization = await foundOrganization(context, id)
    return {
      organization,
      keys: (await listedKeys(context)).filter(({ organizationId }) => organizationId === id),
      mayChange: isOperator(context),
    }
  },
})

export const updateOrganization = operatorRow({
  method: 'patch',
  path: '/admin/v1/organizations/:id',
  group,
  summary: 'Change an organization; omitted members keep their value',
  who: STAFF,
  params,
  body: ChangeBody,
  responses: { 204: null, 403: ErrorBody, 404: ErrorBody, 409: ErrorBody },
  async run(context, { params: { id }, body: change }) {
    await foundOrganization(context, id)
    requireChange(change, ChangeBody)
    const operatorsOwn = OPERATORS_OWN.find((field) => change[field] !== undefined)
    if (operatorsOwn && !isOperator(context))
      throw new Refusal('forbidden', `${operatorsOwn}: the operator of the service decides it`)
    if (Object.values(change.activeContent ?? {}).includes('allow') && !isOperator(context))
      throw new Refusal('forbidden', 'activeContent: the operator of the service decides what stays in a document')
    requireOperatorFor(change, context)
    await context.store.organizations.update(id, change, context.at, context.by)
  },
})

/**
 * Who may send, receive and sign for others, and what orders are routed by: with it an administrator could take another
 * organization's orders.
 */
const OPERATORS_OWN = ['npi', 'addresses', 'ingestionEnabled', 'isActive', 'allowsDelegation'] as const

/** Returns the organizations that the caller may see. */
export const organizationsOf = async (context: OperatorContext) =>
  (await context.store.organizations.list()).filter(({ id }) => reaches(context, id))

/** Returns the organization. Refuses with `notFound`: one that does not exist and one beyond the caller's reach look the same. */
export async function foundOrganization(context: OperatorContext, id: number) {
  const organization = reaches(context, id) ? await context.store.organizations.find(id) : undefined
  if (!organization) throw new Refusal('notFound', `There is no organization ${id}.`)
  return organization
}
