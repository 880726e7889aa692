/** Signs many tasks as soon as each is in the inbox. */
import type { HostedService } from './hosted-service.ts'

/** Who sign at the same time, each one task after the other. */
const SIGNERS = 8

export async function signsAll(service: HostedService, taskIds: readonly number[]): Promise<void> {
  const toSign = [...taskIds]
  const signer = async () => {
    for (let taskId = toSign.pop(); taskId !== undefined; taskId = toSign.pop()) {
      await service.reaches(taskId, 'Pending')
      await service.signs(taskId)
    }
  }
  await Promise.all(Array.from({ length: SIGNERS }, signer))
}
