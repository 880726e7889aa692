/** Applies the filters of a list to what a host answered: it may not know one, and then sends other patients' tasks. Pure. */
import type { CallOf } from '../../contract/calls.ts'
import type { Task } from '../../contract/task/task.ts'
import { FILTERS, type FilterName } from '../../profile/list-habits.ts'

export type TaskQuery = NonNullable<CallOf<'listTasks'>['query']>

/** Whether a task passes a filter; undefined when the host omits the field. */
type Judgement = boolean | undefined

const told = <T>(value: T | undefined, fits: (value: T) => boolean): Judgement =>
  value === undefined ? undefined : fits(value)

const judges: { readonly [F in FilterName]: (task: Task, wanted: NonNullable<TaskQuery[F]>) => Judgement } = {
  externalSavedDocumentIds: ({ output }, wanted) =>
    told(output?.externalSavedDocumentId, (id) => id !== null && [wanted].flat().includes(id)),
  externalDocId: ({ externalDocId }, wanted) => told(externalDocId, (id) => id === wanted),
  isArchived: ({ output }, wanted) => told(output?.isArchived ?? undefined, (is) => is === wanted),
  isFiled: ({ output }, wanted) => told(output?.isFiled ?? undefined, (is) => is === wanted),
  status: ({ status }, wanted) => status === wanted,
}

export interface Filtered {
  tasks: Task[]
  ignoredFilters: FilterName[]
  unjudged: FilterName[]
}

/**
 * Returns the tasks that match. One that says nothing about a filter is kept, because the host may have applied it; but never
 * one without its document's id: it could be another patient's.
 */
export function applyFilters(listed: readonly Task[], query: TaskQuery): Filtered {
  const asked = FILTERS.filter((name) => query[name] !== undefined)
  const judge = (task: Task, name: FilterName): Judgement => judges[name](task, query[name] as never)
  const isKept = (task: Task) => asked.every((name) => judge(task, name) ?? name !== 'externalDocId')
  return {
    tasks: listed.filter(isKept),
    ignoredFilters: asked.filter((name) => listed.some((task) => judge(task, name) === false)),
    unjudged: asked.filter((name) => listed.some((task) => judge(task, name) === undefined)),
  }
}
