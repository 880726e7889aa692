/** The status changes of a task, of which its subscribers were told. */
import type { TaskStatus } from '../../../lib/contract/task/task.ts'
import type { StoreContext } from '../context.ts'

export interface TaskEvent {
  eventId: string
  status: TaskStatus
  at: string
}

/** In order. */
export const eventsOf = ({ db }: StoreContext, taskId: number): Promise<TaskEvent[]> =>
  db
    .selectFrom('event')
    .select(['eventId', 'status', 'occurredAt as at'])
    .where('taskId', '=', taskId)
    .orderBy('sequence')
    .execute()
