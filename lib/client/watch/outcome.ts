/** What a watch reports of a task that is waited for. */
import type { Task, TaskStatus } from '../../contract/task/task.ts'
import type { TaskOutcome } from '../../contract/task/task-status.ts'

/** Ids for the caller's own use. It is written to the journal, so it must not describe a patient. */
export type WaitMeta = Readonly<Record<string, string | number | boolean | null>>

/** How a wait ended. */
export interface Outcome {
  taskId: number
  /** `ended`: Retracted, Failed or Cancelled. `unknown`: the service has no such task for this key. */
  outcome: TaskOutcome | 'timed-out' | 'unknown'
  /** The last known status. */
  status: TaskStatus
  /** The record as read; undefined for `unknown`, and for `timed-out` when the service could not be reached. */
  task?: Task
  meta: WaitMeta
}

/** A status that is not final, which a look has found. */
export interface Progress {
  taskId: number
  status: TaskStatus
  previous: TaskStatus
  /** The record as read. */
  task: Task
  meta: WaitMeta
}
