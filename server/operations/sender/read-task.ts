import { Refusal } from '../../domain/refusal.ts'
import type { SenderRun } from './sender-context.ts'
import { taskOnTheWire } from './task-on-the-wire.ts'

/** Reads one task, with its signed PDF only when that is asked for. spec: Endpoints › Tasks */
export const run: SenderRun<'readTask'> = async ({ store, at }, { params, query }) => {
  const task = await store.tasks.find(params.id)
  if (!task) throw new Refusal('notFound', `There is no task ${params.id} for this key.`)
  const wanted = query.includeOutputAttachment === true && task.status === 'Completed'
  return taskOnTheWire(task, wanted ? await store.tasks.signedPdf(params.id, at) : null)
}
