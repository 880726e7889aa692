/** Lists the deliveries about a task with their attempts, so that a test can see what its receiver cannot. */
import * as z from 'zod'
import { pathId } from '../../../lib/contract/primitives.ts'
import { Attempt, asOf, Delivery } from '../delivery.ts'
import { sandboxRow } from './sandbox-context.ts'

const MOST = 500

export const listTaskDeliveries = sandboxRow({
  method: 'get',
  path: '/sandbox/v1/tasks/:id/deliveries',
  group: 'Tasks',
  summary: 'List what was sent to your receivers about a task, with every attempt',
  who: ['sender'],
  params: z.object({ id: pathId() }),
  taskId: 'id',
  responses: { 200: z.array(Delivery.omit({ organizationId: true }).extend({ log: z.array(Attempt) })) },
  async run({ store: { deliveries }, organizationId, at }, { params }) {
    const found = await deliveries.list({ organizationId, taskId: params.id }, MOST)
    return Promise.all(
      found.map(async (delivery) => ({ ...asOf(delivery, at), log: await deliveries.attempts(delivery.id) })),
    )
  },
})
