/** Who signs for whom in an organization: for its administrators, and for an operator. choice: Signing for a colleague */
import * as z from 'zod'
import { ErrorBody } from '../../../lib/contract/error.ts'
import { Refusal } from '../../domain/refusal.ts'
import { Delegation, shownDelegation } from '../delegations.ts'
import { idParams } from './id-params.ts'
import { operatorRow, STAFF } from './operator-context.ts'
import { foundOrganization } from './organizations.ts'

const about = { group: 'Organizations', who: STAFF } as const

export const listDelegations = operatorRow({
  ...about,
  method: 'get',
  path: '/admin/v1/organizations/:id/delegations',
  summary: 'List who signs for whom in an organization, now or later',
  params: idParams('the organization'),
  responses: { 200: z.array(Delegation), 404: ErrorBody },
  async run(context, { params: { id } }) {
    const { id: organizationId } = await foundOrganization(context, id)
    return (await context.store.delegations.list({ organizationId }, context.at)).map(shownDelegation)
  },
})

export const endDelegation = operatorRow({
  ...about,
  method: 'post',
  path: '/admin/v1/delegations/:id/end',
  summary: 'End a delegation at once',
  params: idParams('the delegation'),
  responses: { 204: null, 404: ErrorBody },
  async run({ store, scope, by, at }, { params: { id } }) {
    if (!(await store.delegations.end(id, scope === null ? 'all' : { organizationId: scope }, { by, at })))
      throw new Refusal('notFound', `There is no delegation ${id} that could be ended.`)
  },
})
