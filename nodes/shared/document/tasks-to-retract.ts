/** Finds the tasks of a document that its sender takes back by the document's id. */
import type { Client } from '../../../lib/client/client.ts'
import { tasksOfDocument } from '../../../lib/client/list-all.ts'
import { isFinal, type Task } from '../../../lib/contract/task/task.ts'
import { NodeError } from '../runtime/failures.ts'

/**
 * Returns the ids of the open tasks of the document with this `externalDocId` and of its versions, whose ids have `.r2`, `.r3` and so on
 * behind it; when none is open, that of the newest task, so that what became of it can be told.
 * @throws NodeError SEVERAL_TASKS when several tasks of one version are open, UNKNOWN_TASK, or LIST_INCOMPLETE when the host may have
 * further tasks of a version; else the client's errors
 */
export async function tasksToRetract(
  client: Pick<Client, 'listTasks'>,
  externalDocId: string,
  signal: AbortSignal,
): Promise<number[]> {
  const tasks = await tasksOfVersion(client, externalDocId, signal)
  // Versions are counted without a gap, so that the first id without a task ends them.
  for (let number = 2; ; number++) {
    const version = await tasksOfVersion(client, `${externalDocId}.r${number}`, signal)
    if (version.length === 0) break
    tasks.push(...version)
  }
  const open = tasks.filter(isOpen)
  const [newest] = tasks.toSorted((a, b) => b.taskId - a.taskId)
  if (!newest) throw new NodeError('UNKNOWN_TASK', UNKNOWN)
  return (open.length > 0 ? open : [newest]).map(({ taskId }) => taskId)
}

async function tasksOfVersion(client: Pick<Client, 'listTasks'>, id: string, signal: AbortSignal): Promise<Task[]> {
  const { tasks, isComplete } = await tasksOfDocument(client, id, { signal })
  const open = tasks.filter(isOpen)
  if (open.length > 1) {
    const ids = open.map(({ taskId }) => taskId).join(', ')
    throw new NodeError(
      'SEVERAL_TASKS',
      `Several tasks of this document are open: ${ids}. Retract the right one by its id.`,
    )
  }
  if (!isComplete) throw new NodeError('LIST_INCOMPLETE', INCOMPLETE)
  return tasks
}

const isOpen = ({ status }: Task) => !isFinal(status)

const INCOMPLETE =
  'The list of the service may lack tasks of this document, so nobody can tell which one is meant. Nothing was retracted: retract the ' +
  'right task by its id.'

const UNKNOWN =
  'The service lists no task of this document for this key. If it was sent a moment ago, send the message again later: a new task may ' +
  'not be listed at once.'
