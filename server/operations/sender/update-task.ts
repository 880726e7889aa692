import { recordOutcome } from '../../domain/task/outcome.ts'
import type { SenderRun } from './sender-context.ts'

/** Records where the sender saved the outcome; archives or files it. spec: Endpoints › Update */
export const run: SenderRun<'updateTask'> = async ({ store, at }, { params, query }) => {
  const { externalSavedDocumentId } = query
  await store.tasks.record(
    params.id,
    externalSavedDocumentId,
    (task, isNewId) => recordOutcome(task, query, isNewId, at),
    at,
  )
  return undefined
}
