/** A task that the create node made, on the real service, waiting or signed. */

import type { NodeRed } from '../node-red/node-red.ts'
import type { HostedService } from './hosted-service.ts'
import { anOrder } from './order.ts'

export interface CreatedTask {
  taskId: number
  externalDocId: string
}

/** The flow must have a create node with the id `create`. */
export async function aCreatedTask(
  red: NodeRed,
  service: HostedService,
  status: 'Pending' | 'Completed' = 'Pending',
): Promise<CreatedTask> {
  const order = anOrder()
  red.inject('create', order)
  const message = await red.next('create.0', ({ externalDocId }) => externalDocId === order.externalDocId)
  const taskId = message.taskId as number
  await service.reaches(taskId, 'Pending')
  if (status === 'Completed') await service.signs(taskId)
  return { taskId, externalDocId: order.externalDocId }
}
