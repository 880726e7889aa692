/** Withdraws a document by its sender's id: the open task of each of its versions. */
import type { Client } from '../../../lib/client/client.ts'
import { type RetractOptions, retractOnce } from '../../../lib/client/once/retract-once.ts'
import { type Sources, tasksToRetract } from './tasks-to-retract.ts'

/**
 * Resolves with the newest of the tasks that it retracted; `repeated` is true when all of them were retracted before. A task that cannot
 * be retracted keeps no other one open.
 * @throws the errors of tasksToRetract, or that of the first task that could not be retracted, as retractOnce has it
 */
export async function retractDocument(
  { client, create }: Sources & { client: Pick<Client, 'retractTask'> },
  externalDocId: string,
  options: RetractOptions & { signal: AbortSignal },
): Promise<{ taskId: number; repeated: boolean }> {
  const ids = await tasksToRetract({ client, create }, externalDocId, options.signal)
  const ends = await Promise.allSettled(ids.map((taskId) => retractOnce(client, taskId, options)))
  const repeats = ends.map((end) => {
    if (end.status === 'rejected') throw end.reason
    return end.value.repeated
  })
  return { taskId: Math.max(...ids), repeated: repeats.every(Boolean) }
}
