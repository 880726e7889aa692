/** All tasks of a filter, page by page, from hosts that page as ours does, as their profile says, or not at all. */
import type { CallOf } from '../contract/calls.ts'
import type { Task } from '../contract/task/task.ts'
import type { FilterName } from '../profile/list-habits.ts'
import type { CallOptions, Client } from './client.ts'
import { type PageQuery, pageFacts } from './list/page-facts.ts'

type Filter = Omit<NonNullable<CallOf<'listTasks'>['query']>, 'limit' | 'before'>

/** How far a list is followed, and what ends it early. */
export interface ListAllOptions extends Omit<CallOptions, 'page'> {
  /** Tasks per call, 1 to 500. Optional; 100 by default. Null sends no paging parameters, for hosts that refuse unknown ones. */
  pageSize?: number | null
}

/** The tasks of all pages, and what is known of them. */
export interface Listing {
  /**
   * Whether the end of the list was seen: false when the host answered a full page and then did not continue, so there may be
   * tasks that no one can reach.
   */
  isComplete: boolean
  /** The filters that the host did not apply, so that the client did. */
  ignoredFilters: FilterName[]
}

/** Yields each task once, newest first, and returns what is known of the list. Never loops on a host that does not continue. */
export async function* listAll(
  client: Pick<Client, 'listTasks'>,
  filter: Filter = {},
  { pageSize = 100, ...options }: ListAllOptions = {},
): AsyncGenerator<Task, Listing> {
  const seen = new Set<number>()
  const ignored = new Set<FilterName>()
  const listing = (isComplete: boolean): Listing => ({ isComplete, ignoredFilters: [...ignored] })
  let page: PageQuery | null = null
  let before = Number.POSITIVE_INFINITY
  for (;;) {
    const paging = pageSize === null ? {} : { limit: pageSize, ...(Number.isFinite(before) && { before }) }
    const tasks: Task[] = await client.listTasks(
      { query: { ...filter, ...paging } },
      { ...options, ...(page && { page }) },
    )
    const { ids, next, isLast, ignoredFilters } = pageFacts(tasks)
    for (const name of ignoredFilters) ignored.add(name)
    const isNew = (id: number) => !seen.has(id)
    const fresh = ids.filter(isNew)
    yield* tasks.filter(({ taskId }) => isNew(taskId))
    if (isLast || (page !== null && next === null)) return listing(fresh.length === ids.length)
    if (next === null && pageSize === null) return listing(false)
    if (next === null && ids.length < pageSize!) return listing(fresh.length === ids.length)
    if (fresh.length === 0) return listing(false)
    for (const id of fresh) seen.add(id)
    page = next
    before = Math.min(...fresh)
  }
}

/** Pages that are looked through for one document at a host that does not filter. */
const LOOKED_THROUGH = 50

/** The tasks of a document, as far as the host lets them be found. */
export interface DocumentTasks {
  /** The tasks whose `externalDocId` is exactly the given one. */
  tasks: Task[]
  /** False when there may be others. */
  isComplete: boolean
}

/**
 * Returns the tasks whose document has exactly this id. A host that ignores the filter answers with other patients' tasks:
 * they are dropped, and its pages are looked through. `isComplete` is false when these did not end, or do not say whose
 * documents they are about.
 */
export async function tasksOfDocument(
  client: Pick<Client, 'listTasks'>,
  externalDocId: string,
  options: Omit<CallOptions, 'page'> = {},
): Promise<DocumentTasks> {
  const found = new Map<number, Task>()
  const seen = new Set<number>()
  let page: PageQuery | null = null
  for (let pages = 1; ; pages++) {
    const listed: Task[] = await client.listTasks({ query: { externalDocId } }, { ...options, ...(page && { page }) })
    const { ids, next, isLast, unjudged } = pageFacts(listed)
    const tasks = listed.filter((task) => task.externalDocId === externalDocId)
    for (const task of tasks) found.set(task.taskId, task)
    const isStuck = ids.every((id) => seen.has(id))
    for (const id of ids) seen.add(id)
    const done = (isComplete: boolean) => ({ tasks: [...found.values()], isComplete })
    if (unjudged.length > 0) return done(false)
    // A first page that holds nothing else was filtered; after others, no further page is the end.
    if (isLast || (pages === 1 ? tasks.length === ids.length : next === null)) return done(true)
    if (next === null || isStuck || pages === LOOKED_THROUGH) return done(false)
    page = next
  }
}
