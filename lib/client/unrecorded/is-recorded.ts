/** Whether the host knows that the outcome of a task is dealt with. Pure. */
import type { Task } from '../../contract/task/task.ts'

/** An archived or filed request was dealt with, too, although perhaps not from here. */
export const isRecorded = ({ output }: Task): boolean =>
  Boolean(output?.externalSavedDocumentId || output?.isArchived || output?.isFiled)
