/** What a sender was told of its task: each delivery and its attempts, so that a test can see what its receiver cannot. */
import type { Store } from '../store/store.ts'
import type { SandboxApi } from './sandbox-api.ts'

const MOST = 500

export function deliveryRoutes({ serve }: SandboxApi, { deliveries }: Pick<Store, 'deliveries'>): void {
  serve('get', '/tasks/:id/deliveries', async ({ organizationId, id }) => {
    const found = await deliveries.list({ organizationId, taskId: id }, MOST)
    return Promise.all(
      found.map(async ({ organizationId: _, ...delivery }) => ({
        ...delivery,
        log: await deliveries.attempts(delivery.id),
      })),
    )
  })
}
