/** The real service in the test's own process, as the real host that the nodes under test call. */
import { aService } from './a-service.ts'
import { host } from './flow.ts'

export async function hostedService() {
  const { baseUrl, key: apiKey, client, stop } = await aService()

  const act = async (taskId: unknown, what: 'sign' | 'reject', body: object) => {
    const response = await fetch(`${baseUrl}/sandbox/v1/tasks/${taskId}/${what}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      body: JSON.stringify(body),
    })
    if (response.status !== 204) throw new Error(`${what}: ${response.status} ${await response.text()}`)
  }
  const statusOf = async (taskId: unknown) => (await client.readTask({ params: { id: Number(taskId) } })).status

  return {
    baseUrl,
    apiKey,
    client,
    /** The configuration node that names this service. */
    node: (more: Record<string, unknown> = {}) => host(baseUrl, { credentials: { apiKey }, timeout: '10', ...more }),
    signs: (taskId: unknown) => act(taskId, 'sign', {}),
    rejects: (taskId: unknown, reason: string) => act(taskId, 'reject', { reason }),
    statusOf,
    /** Resolves once the task has the status. */
    async reaches(taskId: unknown, status: string) {
      for (let tries = 0; tries < 200; tries += 1) {
        if ((await statusOf(taskId)) === status) return
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      throw new Error(`Task ${taskId} does not become ${status}; it is ${await statusOf(taskId)}`)
    },
    stop,
  }
}
export type HostedService = Awaited<ReturnType<typeof hostedService>>
