/**
 * A task as the sidebar shows it. Users of the editor build flows and need no patient's data: a row has ids, states and times, and
 * of the texts only why a task failed, which says what to fix. What a signer wrote stays in the console.
 */
import { reasonInWords } from '../../../lib/contract/task/reason-words.ts'
import type { Task, TaskStatus } from '../../../lib/contract/task/task.ts'
import { utcTime } from '../../../lib/contract/utc-time.ts'

export type TaskAction = 'retract' | 'resend' | 'download'

/** The acts that each status allows. */
const ACTIONS: Record<TaskStatus, TaskAction[]> = {
  Received: [],
  Processing: [],
  Pending: ['retract'],
  Completed: ['download', 'resend'],
  Rejected: ['resend'],
  Retracted: [],
  Failed: ['resend'],
  Cancelled: [],
}

export interface TaskRow {
  taskId: number
  status: TaskStatus
  externalDocId: string | null
  /** The name of the document's type; null when this Node-RED did not create the task, or the name cannot be looked up. */
  documentType: string | null
  /** When the task changed last, or was created, ISO 8601; null when the host says neither. */
  at: string | null
  /** Why the task failed; null in every other status. */
  reason: string | null
  actions: TaskAction[]
  /** The page of the task in the console; null when there is none that is known. */
  consoleUrl: string | null
}

/** Facts about a task that the host does not return. */
export interface Besides {
  documentType: string | null
  /** The address of a task's page, with `{taskId}` in the place of the id; null when there is none. */
  consoleUrl: string | null
}

export const rowOf = (task: Task, { documentType, consoleUrl }: Besides): TaskRow => ({
  taskId: task.taskId,
  status: task.status,
  externalDocId: task.externalDocId ?? null,
  documentType,
  at: inUtc(task.updatedAt ?? task.createdAt),
  reason: task.status === 'Failed' && task.statusReason ? reasonInWords(task.statusReason) : null,
  actions: ACTIONS[task.status],
  consoleUrl: consoleUrl?.replaceAll('{taskId}', String(task.taskId)) ?? null,
})

/** A host may leave the zone out, which a browser would take for its own. */
const inUtc = (time: string | null | undefined) => (time ? new Date(utcTime(time)).toISOString() : null)
