/** Opens what the nodes of a service remember of outcomes together: those that were sent into a flow, and those that are recorded. */
import { createOutcomeLedger, type OutcomeLedger } from '../../../lib/client/unrecorded/outcome-ledger.ts'
import { RUN } from '../runtime/run.ts'
import type { ServiceNode } from './connection.ts'

/** Notes that the outcome of a task is dealt with: no node sends it again. */
export async function acknowledge(service: ServiceNode, taskId: number): Promise<void> {
  await (await outcomesOf(service)).recorded(taskId)
  service.taken.tell({ taskId, isOver: true })
}

export async function outcomesOf(service: ServiceNode): Promise<OutcomeLedger> {
  const { shared } = service
  return createOutcomeLedger({
    journal: await service.journal('outcomes'),
    run: RUN,
    ...(shared ? { hasEnded: shared.hasEnded, now: shared.clock.now } : { now: Date.now }),
  })
}
