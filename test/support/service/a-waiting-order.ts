/** The demo's order with all four field types, sent and waiting in a signer's inbox. */
import { annotations, demoOrder } from '../../../scripts/demo-order.ts'
import { aCreateBody, daysFromToday, SIGNER, type TaskChange } from './a-create-body.ts'
import type { TestService } from './a-service.ts'

/** The task's id. */
export async function aWaitingOrder(
  service: TestService,
  {
    signer = SIGNER.calder,
    patient = {},
    externalDocId,
  }: { signer?: string; patient?: TaskChange['patient']; externalDocId?: string } = {},
): Promise<number> {
  const attachment = Buffer.from(await demoOrder(daysFromToday(0))).toString('base64')
  const taskId = await service.create(
    aCreateBody({
      patient: patient ?? {},
      performer: { signer: { userNPI: signer } },
      document: { attachment, annotations, ...(externalDocId && { externalDocId }) },
    }),
  )
  await service.reaches(taskId, 'Pending')
  return taskId
}
