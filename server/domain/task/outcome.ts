/**
 * Applies the updates that a sender records once a task has an outcome: where it was saved, filed and archived. Pure. spec:
 * Endpoints › Update
 */
import type { TaskStatus } from '../../../lib/contract/task/task.ts'
import { Refusal } from '../refusal.ts'
import type { TaskChange, TaskState } from './task.ts'

/** Statuses whose outcome may be recorded. spec: States and transitions › Rules */
const recordable: readonly TaskStatus[] = ['Completed', 'Rejected', 'Retracted']

export interface Outcome {
  externalSavedDocumentId: string
  archived?: boolean | undefined
  saved?: boolean | undefined
}

/**
 * The task with its outcome recorded; no event tells of it. `isNewId` says that the organization never used the saved-document
 * id before. Refuses with all that is wrong. choice: Recording again
 */
export function recordOutcome(task: TaskState, outcome: Outcome, isNewId: boolean, at: Date): TaskChange {
  const problems = outcomeProblems(task, outcome, isNewId)
  if (problems.length > 0) throw new Refusal('invalid', ...problems)
  const { externalSavedDocumentId, archived, saved } = outcome
  const changed: TaskState = {
    ...task,
    externalSavedDocumentId,
    isArchived: task.isArchived || archived === true,
    isFiled: task.isFiled || saved === true,
  }
  return { task: changed, at, event: null, action: 'task.record' }
}

/** `false` is wrong only where it would undo something. */
const outcomeProblems = (task: TaskState, { archived, saved }: Outcome, isNewId: boolean): string[] => [
  ...(recordable.includes(task.status)
    ? []
    : [`Task ${task.id} is ${task.status}; only a ${recordable.join(', ')} task can be updated.`]),
  ...(task.isArchived && archived === false ? ['archived: archiving cannot be undone'] : []),
  ...(task.isFiled && saved === false ? ['saved: filing cannot be undone'] : []),
  ...(isNewId ? [] : ['externalSavedDocumentId: already used; each saved document needs an id of its own']),
]
