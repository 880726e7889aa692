/** All tasks of a filter, page by page, from hosts that page as ours does and from hosts that know no paging. */
import type { CallOf } from '../contract/calls.ts'
import type { Task } from '../contract/task/task.ts'
import type { CallOptions, Client } from './client.ts'

type Filter = Omit<NonNullable<CallOf<'listTasks'>['query']>, 'limit' | 'before'>

export interface ListAllOptions extends CallOptions {
  /** Tasks per call, 1 to 500; 100 when left out. Null sends no paging parameters, for hosts that refuse unknown ones. */
  pageSize?: number | null
}

/**
 * Yields each task once, newest first. Its return value says whether the end of the list was seen: false when the host
 * answered a full page and then did not go on, so there may be tasks that nobody can reach. Never loops on such a host.
 */
export async function* listAll(
  client: Pick<Client, 'listTasks'>,
  filter: Filter = {},
  { pageSize = 100, ...options }: ListAllOptions = {},
): AsyncGenerator<Task, { isComplete: boolean }> {
  let before = Number.POSITIVE_INFINITY
  for (;;) {
    const paging = pageSize === null ? {} : { limit: pageSize, ...(Number.isFinite(before) && { before }) }
    const page = await client.listTasks({ query: { ...filter, ...paging } }, options)
    const fresh = page.filter(({ taskId }) => taskId < before)
    yield* fresh
    if (pageSize === null) return { isComplete: false }
    if (page.length < pageSize) return { isComplete: fresh.length === page.length }
    if (fresh.length === 0) return { isComplete: false }
    before = Math.min(...fresh.map(({ taskId }) => taskId))
  }
}

/**
 * Returns the tasks whose document has exactly this id. A host that ignores the filter answers with other patients' tasks:
 * they are dropped, and `isComplete` is false then, because the page may end before the wanted ones.
 */
export async function tasksOfDocument(
  client: Pick<Client, 'listTasks'>,
  externalDocId: string,
  options: CallOptions = {},
): Promise<{ tasks: Task[]; isComplete: boolean }> {
  const listed = await client.listTasks({ query: { externalDocId } }, options)
  const tasks = listed.filter((task) => task.externalDocId === externalDocId)
  return { tasks, isComplete: tasks.length === listed.length }
}
