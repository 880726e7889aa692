/** Signs many tasks, each as soon as it is in the inbox. */
import type { HostedService } from './hosted-service.ts'

/** Who sign at the same time, each one task after the other. */
const SIGNERS = 8

/** In the order given: tasks reach the inbox in the order in which they were created. */
export async function signsAll(service: HostedService, taskIds: readonly number[]): Promise<void> {
  const next = taskIds.values()
  const signer = async () => {
    for (const taskId of next) {
      await service.reaches(taskId, 'Pending')
      await service.signs(taskId)
    }
  }
  await Promise.all(Array.from({ length: SIGNERS }, signer))
}
