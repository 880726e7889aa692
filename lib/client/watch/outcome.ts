/** The reports of a watch about a task. */
import type { Task, TaskStatus } from '../../contract/task/task.ts'
import type { TaskOutcome } from '../../contract/task/task-status.ts'

/**
 * Values for the caller's own use: ids as a rule. They are written to the journal, so what describes a patient must be
 * encrypted.
 */
export type WaitMeta = Readonly<Record<string, string | number | boolean | null>>

/** Asks for outcomes to be reported again until someone has dealt with them. */
export interface Repeat {
  /** Whether the outcome was dealt with, also by an earlier process. It is then forgotten without a report. */
  isAcknowledged: (taskId: number) => Promise<boolean>
  /** Milliseconds from one report to the next. Optional; only after `resume` by default. */
  afterMs?: number
}

/** How a wait ended. */
export interface Outcome {
  /** The task that was waited for. */
  taskId: number
  /** `ended`: Retracted, Failed or Cancelled. `unknown`: the service has no such task for this key. */
  outcome: TaskOutcome | 'timed-out' | 'unknown'
  /** The last known status. */
  status: TaskStatus
  /** The record as read; undefined for `unknown`, and for `timed-out` when the service could not be reached. */
  task?: Task
  /** The data passed to the wait. */
  meta: WaitMeta
  /** How often it was reported before; 0 when the watch does not repeat its reports. */
  reportedBefore: number
}

/** A status that is not final, which a look has found. */
export interface Progress {
  /** The task that is waited for. */
  taskId: number
  /** The status that the look has found. */
  status: TaskStatus
  /** The status that was known before. */
  previous: TaskStatus
  /** The record as read. */
  task: Task
  /** The data passed to the wait. */
  meta: WaitMeta
}
