/** Withdraws what a document replaces before the document is sent, so that at no moment both can be signed. */
import { RefusedError } from '../../../lib/client/errors.ts'
import type { RetractOptions } from '../../../lib/client/once/retract-once.ts'
import { TaskStatusError } from '../../../lib/client/task-status-error.ts'
import { isFinal, type TaskStatus } from '../../../lib/contract/task/task.ts'
import { NodeError } from '../runtime/failures.ts'
import type { Message } from '../runtime/node-red.ts'
import type { Connection } from '../service/connection.ts'
import { retractDocument } from './retract-document.ts'
import { tasksToRetract } from './tasks-to-retract.ts'

/** What became of a document that another one replaces: the status of its task, or null where no task of it is known. */
export interface Replaced {
  externalDocId: string
  status: TaskStatus | null
}

/** Returns the ids in `msg.replaces`, as the order nodes set it, other than that of the document itself. */
export const replacedBy = ({ replaces }: Message, externalDocId: string | null | undefined): string[] =>
  (Array.isArray(replaces) ? replaces : []).filter(
    (id): id is string => typeof id === 'string' && id !== '' && id !== externalDocId,
  )

/**
 * Retracts the open tasks of each document. One that is signed, has ended otherwise, or is unknown keeps nothing from being sent; the
 * result says so. Repeating does no harm.
 * @throws the client's errors, and SEVERAL_TASKS or LIST_INCOMPLETE of `tasksToRetract`: then nothing may be sent
 */
export async function withdrawReplaced(
  connection: Pick<Connection, 'client' | 'create'>,
  ids: readonly string[],
  options: RetractOptions & { signal: AbortSignal },
): Promise<Replaced[]> {
  const replaced: Replaced[] = []
  for (const externalDocId of ids) {
    const status = await retractDocument(connection, externalDocId, options).then(
      () => 'Retracted' as const,
      (failure) => endOf(failure, connection, externalDocId, options.signal),
    )
    replaced.push({ externalDocId, status })
  }
  return replaced
}

/** Returns how the document ended when that is why it could not be retracted. Throws any other failure. */
async function endOf(
  failure: unknown,
  connection: Pick<Connection, 'client' | 'create'>,
  externalDocId: string,
  signal: AbortSignal,
): Promise<TaskStatus | null> {
  if (failure instanceof NodeError && failure.code === 'UNKNOWN_TASK') return null
  if (failure instanceof TaskStatusError) return failure.taskStatus
  if (!(failure instanceof RefusedError)) throw failure
  const [taskId] = await tasksToRetract(connection, externalDocId, signal)
  const { status } = await connection.client.readTask({ params: { id: taskId! } }, { signal })
  if (isFinal(status)) return status
  throw failure
}
