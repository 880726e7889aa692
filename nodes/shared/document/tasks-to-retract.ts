/** Finds the tasks of a document that its sender takes back by the document's id. */
import type { Client } from '../../../lib/client/client.ts'
import { RefusedError } from '../../../lib/client/errors.ts'
import { tasksOfDocument } from '../../../lib/client/list-all.ts'
import type { CreateOnce } from '../../../lib/client/once/create-once.ts'
import { isFinal, type Task } from '../../../lib/contract/task/task.ts'
import { NodeError } from '../runtime/failures.ts'

/** What knows of tasks: the host, and the journal of what was created. */
export interface Sources {
  client: Pick<Client, 'listTasks' | 'readTask'>
  create: Pick<CreateOnce, 'taskOf'>
}

/**
 * Returns the ids of the open tasks of the document with this `externalDocId` and of its versions, whose ids have `.r2`, `.r3` and so on
 * behind it; when none is open, that of the newest task, so that what became of it can be told.
 * A task that was created from here counts although the host does not list it yet.
 * @throws NodeError SEVERAL_TASKS when several tasks of one version are open, UNKNOWN_TASK, or LIST_INCOMPLETE when the host may have
 * further tasks of a version; else the client's errors
 */
export async function tasksToRetract(sources: Sources, externalDocId: string, signal: AbortSignal): Promise<number[]> {
  const tasks = await tasksOfVersion(sources, externalDocId, signal)
  // Versions are counted without a gap, so that the first id without a task ends them.
  for (let number = 2; ; number++) {
    const version = await tasksOfVersion(sources, `${externalDocId}.r${number}`, signal)
    if (version.length === 0) break
    tasks.push(...version)
  }
  const open = tasks.filter(isOpen)
  const [newest] = tasks.toSorted((a, b) => b.taskId - a.taskId)
  if (!newest) throw new NodeError('UNKNOWN_TASK', UNKNOWN)
  return (open.length > 0 ? open : [newest]).map(({ taskId }) => taskId)
}

async function tasksOfVersion({ client, create }: Sources, id: string, signal: AbortSignal): Promise<Task[]> {
  const { tasks: listed, isComplete } = await tasksOfDocument(client, id, { signal })
  const created = await create.taskOf(id)
  const isListed = created === undefined || listed.some(({ taskId }) => taskId === created)
  const tasks = isListed ? listed : [...listed, ...(await taskOrNone(client, created, signal))]
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

/** A host that was set back does not know the task any more. */
const taskOrNone = (client: Pick<Client, 'readTask'>, id: number, signal: AbortSignal): Promise<Task[]> =>
  client.readTask({ params: { id } }, { signal }).then(
    (task) => [task],
    (failure: unknown) => {
      if (failure instanceof RefusedError && failure.status === 404) return []
      throw failure
    },
  )

const isOpen = ({ status }: Task) => !isFinal(status)

const INCOMPLETE =
  'The list of the service may lack tasks of this document, so nobody can tell which one is meant. Nothing was retracted: retract the ' +
  'right task by its id.'

const UNKNOWN =
  'The service lists no task of this document for this key, and none was created from here. If another system sent it a moment ago, ' +
  'send the message again later: a new task may not be listed at once.'
