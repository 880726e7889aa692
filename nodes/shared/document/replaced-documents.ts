/** Withdraws what a document replaces before the document is sent, so that at no moment both can be signed. */
import { RefusedError } from '../../../lib/client/errors.ts'
import type { RetractOptions } from '../../../lib/client/once/retract-once.ts'
import { TaskStatusError } from '../../../lib/client/task-status-error.ts'
import { isFinal, type TaskStatus } from '../../../lib/contract/task/task.ts'
import type { Message } from '../runtime/node-red.ts'
import type { Connection } from '../service/connection.ts'
import { idsIn, retractDocument } from './retract-document.ts'
import { tasksToRetract, type WithdrawnDocument } from './tasks-to-retract.ts'

/**
 * The state of a document that another one replaces: the status of its task, or null where it was not sent, and will not be
 * sent from here.
 */
export interface Replaced {
  externalDocId: string
  status: TaskStatus | null
}

/** Returns the ids in `msg.replaces`, as the order nodes set it, other than that of the document itself. */
export const replacedBy = ({ replaces }: Message, externalDocId: string | null | undefined): string[] =>
  idsIn(replaces).filter((id) => id !== externalDocId)

/**
 * Retracts the open tasks of each document, and keeps one that was not sent from being sent later. One that is signed, has ended otherwise,
 * or is unknown keeps nothing from being sent; the result says so. Repeating does no harm.
 * @param by the id of the document that replaces them, which may be a version of one of them
 * @throws the errors of `tasksToRetract`: then nothing may be sent
 */
export async function withdrawReplaced(
  connection: Pick<Connection, 'client' | 'create'>,
  ids: readonly string[],
  by: string | undefined,
  options: RetractOptions & { signal: AbortSignal },
): Promise<Replaced[]> {
  const replaced: Replaced[] = []
  for (const externalDocId of ids) {
    const document = { externalDocId, kept: by }
    const status = await retractDocument(connection, document, options).then(
      (end) => ('taskId' in end ? ('Retracted' as const) : null),
      (failure) => endOf(failure, connection, document, options.signal),
    )
    replaced.push({ externalDocId, status })
  }
  return replaced
}

/** Returns how the document ended when that is why it could not be retracted. Throws any other failure. */
async function endOf(
  failure: unknown,
  connection: Pick<Connection, 'client' | 'create'>,
  document: WithdrawnDocument,
  signal: AbortSignal,
): Promise<TaskStatus> {
  if (failure instanceof TaskStatusError) return failure.taskStatus
  if (!(failure instanceof RefusedError)) throw failure
  const { taskIds } = await tasksToRetract(connection, document, signal)
  const [taskId] = taskIds
  if (taskId === undefined) throw failure
  const { status } = await connection.client.readTask({ params: { id: taskId } }, { signal })
  if (isFinal(status)) return status
  throw failure
}
