/** Finds the task of a document that its sender takes back by the document's id. */
import type { Client } from '../../../lib/client/client.ts'
import { tasksOfDocument } from '../../../lib/client/list-all.ts'
import { isFinal } from '../../../lib/contract/task/task.ts'
import { NodeError } from '../runtime/failures.ts'

/**
 * Returns the id of the open task of the document whose `externalDocId` is exactly this one; when none is open, that of its newest task,
 * so that what became of it can be told.
 * @throws NodeError SEVERAL_TASKS, UNKNOWN_TASK, or LIST_INCOMPLETE when the host may have further tasks of the document; else the
 * client's errors
 */
export async function taskOfDocument(
  client: Pick<Client, 'listTasks'>,
  externalDocId: string,
  signal: AbortSignal,
): Promise<number> {
  const { tasks, isComplete } = await tasksOfDocument(client, externalDocId, { signal })
  const open = tasks.filter(({ status }) => !isFinal(status))
  if (open.length > 1) {
    const ids = open.map(({ taskId }) => taskId).join(', ')
    throw new NodeError(
      'SEVERAL_TASKS',
      `Several tasks of this document are open: ${ids}. Retract the right one by its id.`,
    )
  }
  if (!isComplete) throw new NodeError('LIST_INCOMPLETE', INCOMPLETE)
  const [task] = open.length > 0 ? open : tasks.toSorted((a, b) => b.taskId - a.taskId)
  if (!task) throw new NodeError('UNKNOWN_TASK', UNKNOWN)
  return task.taskId
}

const INCOMPLETE =
  'The list of the service may lack tasks of this document, so nobody can tell which one is meant. Nothing was retracted: retract the ' +
  'right task by its id.'

const UNKNOWN =
  'The service lists no task of this document for this key. If it was sent a moment ago, send the message again later: a new task may ' +
  'not be listed at once.'
