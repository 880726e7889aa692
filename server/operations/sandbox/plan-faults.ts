/** Plans what goes wrong for the caller's organization, shows it, and takes it back. */
import * as z from 'zod'
import { ErrorBody } from '../../../lib/contract/error.ts'
import { pathId } from '../../../lib/contract/primitives.ts'
import { Refusal } from '../../domain/refusal.ts'
import { CallbackFault, Fault, RequestFault } from './fault.ts'
import { sandboxRow } from './sandbox-context.ts'

const planned = { id: z.int() }
const PlannedFault = z.discriminatedUnion('on', [RequestFault.extend(planned), CallbackFault.extend(planned)])

const about = { path: '/sandbox/v1/faults', group: 'Faults', who: ['sender'] } as const

export const planFault = sandboxRow({
  ...about,
  method: 'post',
  summary: 'Plan what goes wrong',
  body: Fault,
  responses: { 201: PlannedFault, 409: ErrorBody },
  run: async ({ faults, organizationId }, { body }) => faults.add(organizationId, body),
})

export const listFaults = sandboxRow({
  ...about,
  method: 'get',
  summary: 'List what is planned',
  responses: { 200: z.array(PlannedFault) },
  run: async ({ faults, organizationId }) => [...faults.list(organizationId)],
})

export const clearFaults = sandboxRow({
  ...about,
  method: 'delete',
  summary: 'Remove all planned faults',
  responses: { 204: null },
  run: async ({ faults, organizationId }) => faults.clear(organizationId),
})

export const removeFault = sandboxRow({
  ...about,
  path: '/sandbox/v1/faults/:id',
  method: 'delete',
  summary: 'Remove one fault',
  params: z.object({ id: pathId() }),
  responses: { 204: null, 404: ErrorBody },
  async run({ faults, organizationId }, { params: { id } }) {
    if (!faults.remove(organizationId, id)) throw new Refusal('notFound', `There is no fault ${id} for this key.`)
  },
})
