import { transition } from '../../domain/task/task.ts'
import type { SenderRun } from './sender-context.ts'

/** Withdraws a task that still waits in the signer's inbox. spec: Endpoints › Retract */
export const run: SenderRun<'retractTask'> = async ({ store, at, newId }, { params, query }) => {
  const facts = { at, eventId: newId(), reason: query.reason?.trim() ? query.reason : null }
  await store.tasks.change(params.id, (task) => transition(task, 'retract', facts))
  return undefined
}
