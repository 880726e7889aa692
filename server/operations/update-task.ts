import type { Operation } from './operation.ts'

/** Records where the sender saved the outcome; archives or files it. spec: Endpoints › Update */
export const run: Operation<'updateTask'> = async ({ store, at }, { params, query }) => {
  await store.tasks.recordOutcome(params.id, query, at)
  return undefined
}
