import { Refusal } from '../../domain/refusal.ts'
import type { SenderRun } from './sender-context.ts'
import { taskOnTheWire } from './task-on-the-wire.ts'

/** Reads one task, with its signed PDF only when that is asked for. spec: Endpoints › Tasks. choice: Retention */
export const run: SenderRun<'readTask'> = async ({ store, at, asBase64 }, { params, query }) => {
  const task = await store.tasks.find(params.id)
  if (!task) throw new Refusal('notFound', `There is no task ${params.id} for this key.`)
  const wanted = query.includeOutputAttachment === true && task.status === 'Completed'
  if (!wanted) return taskOnTheWire(task)
  const removedAt = await store.tasks.contentsRemovedAt(params.id)
  if (removedAt)
    throw new Refusal(
      'notFound',
      `The signed PDF of task ${params.id} was removed on ${removedAt.slice(0, 10)}, as the operator has set. Without includeOutputAttachment the task can be read.`,
    )
  const signed = await store.tasks.signedPdf(params.id, at)
  return taskOnTheWire(task, signed && asBase64(signed))
}
