/** The real service in the test's own process, as the real host that the nodes under test call. */
import type { TaskStatus } from '../../../lib/contract/task/task.ts'
import type { Delivery } from '../../../server/operations/delivery.ts'
import { host } from '../node-red/flow.ts'
import { aService } from './a-service.ts'

export async function hostedService() {
  const service = await aService()
  const { baseUrl, key: apiKey, client } = service

  return {
    baseUrl,
    apiKey,
    client,
    ask: service.ask,
    /** The configuration node that names this service. */
    node: (more: Record<string, unknown> = {}) => host(baseUrl, { credentials: { apiKey }, timeout: '30', ...more }),
    // Ids come from messages, whose properties may be anything.
    signs: (taskId: unknown) => service.signs(Number(taskId)),
    rejects: (taskId: unknown, reason: string) => service.rejects(Number(taskId), reason),
    reaches: (taskId: unknown, status: TaskStatus) => service.reaches(Number(taskId), status),
    statusOf: async (taskId: unknown) => (await client.readTask({ params: { id: Number(taskId) } })).status,
    deliveries: async (taskId: unknown) =>
      (await service.ask<Delivery[]>('GET', `/sandbox/v1/tasks/${Number(taskId)}/deliveries`)).body,
    stop: () => service.stop(),
  }
}
export type HostedService = Awaited<ReturnType<typeof hostedService>>
