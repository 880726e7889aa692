/** Who signs for the caller for a time, and for whom the caller signs. choice: Signing for a colleague */
import * as z from 'zod'
import { ErrorBody } from '../../../lib/contract/error.ts'
import { pathId } from '../../../lib/contract/primitives.ts'
import { checkDelegation } from '../../domain/delegation.ts'
import { Refusal } from '../../domain/refusal.ts'
import { DelegationBody, Delegations, shownDelegation } from '../delegations.ts'
import { signerRow } from './signer-context.ts'

const about = { group: 'Signing for a colleague', who: ['signer'] } as const
const path = '/inbox/api/delegations'

export const listDelegations = signerRow({
  ...about,
  method: 'get',
  path,
  summary: 'List who signs for the caller, for whom the caller signs, and whom the caller may choose',
  responses: { 200: Delegations },
  async run({ delegations, scope: { signerNpi: npi }, at }) {
    const [colleagues, all] = [await delegations.colleagues(npi), await delegations.list({ npi }, at)]
    return {
      colleagues,
      given: all.filter(({ signerNpi }) => signerNpi === npi).map(shownDelegation),
      received: all.filter(({ delegateNpi }) => delegateNpi === npi).map(shownDelegation),
    }
  },
})

export const createDelegation = signerRow({
  ...about,
  method: 'post',
  path,
  summary: 'Let a colleague sign for the caller for a time',
  body: DelegationBody,
  responses: { 201: z.object({ id: z.int() }), 409: ErrorBody },
  async run({ delegations, scope: { signerNpi }, by, at }, { body }) {
    const { organizationId, delegateNpi } = body
    const times = { startsAt: new Date(body.startsAt), endsAt: new Date(body.endsAt) }
    const delegation = { organizationId, signerNpi, delegateNpi, ...times }
    checkDelegation(delegation, at)
    return { id: await delegations.create(delegation, { by, at }) }
  },
})

export const endDelegation = signerRow({
  ...about,
  method: 'post',
  path: `${path}/:id/end`,
  summary: 'End a delegation at once, as the signer who gave it or the colleague who has it',
  params: z.object({ id: pathId() }),
  responses: { 204: null, 404: ErrorBody },
  async run({ delegations, scope: { signerNpi: npi }, by, at }, { params }) {
    if (!(await delegations.end(params.id, { npi }, { by, at })))
      throw new Refusal('notFound', 'This has ended already. Load the page again.')
  },
})
