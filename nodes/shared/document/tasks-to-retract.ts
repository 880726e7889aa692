/** Finds the tasks of a document that its sender withdraws by the document's id, and keeps the document from being sent later. */
import type { Client } from '../../../lib/client/client.ts'
import { RefusedError } from '../../../lib/client/errors.ts'
import { tasksOfDocument } from '../../../lib/client/list-all.ts'
import type { CreateOnce } from '../../../lib/client/once/create-once.ts'
import { isFinal, type Task } from '../../../lib/contract/task/task.ts'
import { NodeError } from '../runtime/failures.ts'

/** The sources of tasks: the host, and the journal of what was created. */
export interface Sources {
  client: Pick<Client, 'listTasks' | 'readTask'>
  create: Pick<CreateOnce, 'withdraw' | 'knows' | 'taskOf'>
}

/** A document that is withdrawn. */
export interface WithdrawnDocument {
  externalDocId: string
  /** Other ids under which it may have been sent, or may still come. */
  aliases?: readonly string[]
  /** The id of a document that stays, although it is a version of this one or has one of its ids. */
  kept?: string | undefined
}

/**
 * Keeps the document and its versions, whose ids have `.r2`, `.r3` and so on behind it, from being sent from here, and returns the ids of
 * their open tasks; when none is open, that of the newest task, so that what became of it can be told; none when there never was one.
 * A call that sends the document is awaited, and its task counts although the host does not list it yet.
 * @throws NodeError SEVERAL_TASKS when several tasks of one version are open, or LIST_INCOMPLETE when the host may have further tasks of a
 * version; HeldError OUTCOME_UNKNOWN when no one can know whether there is a task; else the client's errors
 */
export async function tasksToRetract(
  sources: Sources,
  { externalDocId, aliases = [], kept }: WithdrawnDocument,
  signal: AbortSignal,
): Promise<{ taskIds: number[]; withdrawnAt: number }> {
  const { client, create } = sources
  const { withdrawnAt, taskIds } = await create.withdraw(externalDocId, { aliases, except: kept, signal })
  const tasks = new Map<number, Task>()
  const add = (found: readonly Task[]) => {
    for (const task of found) tasks.set(task.taskId, task)
  }
  for (const id of new Set([externalDocId, ...aliases])) add(await tasksOfVersions(sources, id, kept, signal))
  for (const taskId of taskIds) if (!tasks.has(taskId)) add(await taskOrNone(client, taskId, signal))
  const open = [...tasks.values()].filter(isOpen)
  const newest = [...tasks.values()].toSorted((a, b) => b.taskId - a.taskId).slice(0, 1)
  return { taskIds: (open.length > 0 ? open : newest).map(({ taskId }) => taskId), withdrawnAt }
}

async function tasksOfVersions(
  sources: Sources,
  externalDocId: string,
  kept: string | undefined,
  signal: AbortSignal,
): Promise<Task[]> {
  const { create } = sources
  const tasks = await tasksOfVersion(sources, externalDocId, signal)
  // Versions are counted without a gap, so that the first one of which nothing is known ends them.
  for (let number = 2; ; number++) {
    const version = `${externalDocId}.r${number}`
    if (version === kept) return tasks
    const isKnown = await create.knows(version)
    if (isKnown) await create.withdraw(version, { signal })
    const found = await tasksOfVersion(sources, version, signal)
    if (!isKnown && found.length === 0) return tasks
    tasks.push(...found)
  }
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
  'The list of the service may lack tasks of this document, so it is ambiguous which one is meant. Nothing was retracted: retract the ' +
  'right task by its id.'
