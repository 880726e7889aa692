/** Facts about a page of tasks, kept in a WeakMap so that a list remains a plain array. */
import type { Task } from '../../contract/task/task.ts'
import type { FilterName } from '../../profile/list-habits.ts'

/** Query parameters, as they travel. */
export type PageQuery = Readonly<Record<string, string | readonly string[]>>

export interface PageFacts {
  /** All that the host sent, before the client applied the filters. */
  ids: readonly number[]
  /** The query for the next page; null when the host does not say. */
  next: PageQuery | null
  /** Whether the host has no further page; false when that is not known. */
  isLast: boolean
  /** The filters that the host did not apply. */
  ignoredFilters: readonly FilterName[]
  /** The filters that could not be applied by the client either, because the host omits what they are about. */
  unjudged: readonly FilterName[]
}

const facts = new WeakMap<readonly Task[], PageFacts>()

export function rememberFacts(tasks: readonly Task[], found: PageFacts): void {
  facts.set(tasks, found)
}

/** Returns what is known of a result of `listTasks`. */
export const pageFacts = (tasks: readonly Task[]): PageFacts =>
  facts.get(tasks) ?? {
    ids: tasks.map(({ taskId }) => taskId),
    next: null,
    isLast: false,
    ignoredFilters: [],
    unjudged: [],
  }

/**
 * Returns the filters that the host did not apply to a result of `listTasks`, so that the client did: other pages may hold more
 * tasks that match.
 */
export const ignoredFilters = (tasks: readonly Task[]): readonly FilterName[] => pageFacts(tasks).ignoredFilters
