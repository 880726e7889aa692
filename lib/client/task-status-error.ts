/** The error of a call that the status of its task rules out. */
import type { TaskStatus } from '../contract/task/task.ts'

const MEANINGS = {
  ALREADY_SIGNED: (taskId: number) => `Task ${taskId} was signed before it could be retracted.`,
  NOT_COMPLETED: (taskId: number, status: TaskStatus) =>
    `Task ${taskId} is ${status}; only a Completed task has a signed PDF.`,
  NO_SIGNED_PDF: (taskId: number) =>
    `Task ${taskId} is Completed, but its signed PDF did not come with it. Read it again later, or ask the operator of the service.`,
} as const

/** The status that a task has reached rules out what was asked of it, permanently or until the signer has signed. */
export class TaskStatusError extends Error {
  /** The name of the class, which tells it apart also where several copies of this package are loaded. */
  override readonly name = 'TaskStatusError'
  /** The kind of act that the status rules out. */
  readonly code: keyof typeof MEANINGS
  /** The task that was asked about. */
  readonly taskId: number
  /** The status when the task was read. */
  readonly taskStatus: TaskStatus
  constructor(code: keyof typeof MEANINGS, taskId: number, taskStatus: TaskStatus) {
    super(MEANINGS[code](taskId, taskStatus))
    this.code = code
    this.taskId = taskId
    this.taskStatus = taskStatus
  }
}
