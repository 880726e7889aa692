/** The statuses of a task, and what each means for it. Plain data, which the pages import too. spec: States and transitions */
import type { Rule } from '../rule.ts'

/** The outcome that each status represents; null while the task is open. Every status with an outcome is final. */
const outcomes = {
  Received: null,
  Processing: null,
  Pending: null,
  Completed: 'completed',
  Rejected: 'rejected',
  Retracted: 'ended',
  Failed: 'ended',
  Cancelled: 'ended',
} as const

type TaskStatus = keyof typeof outcomes

/** In the order in which a task may reach them. */
export const taskStatuses = Object.keys(outcomes) as TaskStatus[]

export const statusRule: Rule<TaskStatus> = {
  fits: (value): value is TaskStatus => taskStatuses.includes(value as TaskStatus),
  right: `one of ${taskStatuses.join(', ')}`,
}

export type TaskOutcome = NonNullable<(typeof outcomes)[TaskStatus]>

/** Returns what became of a task in this status; null while it is under way. */
export const outcomeOf = (status: TaskStatus): TaskOutcome | null => outcomes[status]

/** Whether a task stays in this status permanently. */
export const isFinal = (status: TaskStatus): boolean => outcomeOf(status) !== null
