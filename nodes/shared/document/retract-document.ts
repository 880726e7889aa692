/** Withdraws a document by its sender's ids: the open task of each of its versions, and what was not sent yet. */
import type { Client } from '../../../lib/client/client.ts'
import { type RetractOptions, retractOnce } from '../../../lib/client/once/retract-once.ts'
import { type Sources, tasksToRetract, type WithdrawnDocument } from './tasks-to-retract.ts'

/** How a document was withdrawn. */
export type Retracted = { taskId: number; repeated: boolean } | { withdrawnAt: number }

/**
 * Resolves with the newest of the tasks that it retracted; `repeated` is true when all of them were retracted before. A task that cannot
 * be retracted keeps no other one open. Where the document has no task, it resolves with the time of the withdrawal, after which it is
 * not sent from here.
 * @throws the errors of tasksToRetract, or that of the first task that could not be retracted, as retractOnce has it
 */
export async function retractDocument(
  { client, create }: Sources & { client: Pick<Client, 'retractTask'> },
  document: WithdrawnDocument,
  options: RetractOptions & { signal: AbortSignal },
): Promise<Retracted> {
  const { taskIds, withdrawnAt } = await tasksToRetract({ client, create }, document, options.signal)
  if (taskIds.length === 0) return { withdrawnAt }
  const ends = await Promise.allSettled(taskIds.map((taskId) => retractOnce(client, taskId, options)))
  const repeats = ends.map((end) => {
    if (end.status === 'rejected') throw end.reason
    return end.value.repeated
  })
  return { taskId: Math.max(...taskIds), repeated: repeats.every(Boolean) }
}

/** Returns the ids in a property of a message, as the order nodes set `replaces` and `aliases`. */
export const idsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : []).filter((id): id is string => typeof id === 'string' && id !== '')
