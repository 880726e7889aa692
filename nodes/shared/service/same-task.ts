/**
 * Checks that a task id means what its message means by it. Ids are small numbers that every service gives out, so a message says
 * which service its task is at, and which document the task was created for.
 */
import type { Client } from '../../../lib/client/client.ts'
import { RefusedError } from '../../../lib/client/errors.ts'
import { NodeError } from '../runtime/failures.ts'
import type { Message } from '../runtime/node-red.ts'
import type { ServiceNode } from './connection.ts'

/**
 * Throws the NodeError OTHER_SERVICE when the message comes from a node that uses another service (`msg.signatureService`). A message
 * without that property was put together by hand, for this node.
 */
export function checkService({ signatureService }: Message, { place }: Pick<ServiceNode, 'place'>): void {
  if (signatureService !== undefined && signatureService !== place)
    throw new NodeError(
      'OTHER_SERVICE',
      'The task of this message is at another signature service than the one that this node uses. Choose that service in this node; if ' +
        'the id is meant for this service, delete msg.signatureService first.',
    )
}

/**
 * Throws the NodeError OTHER_DOCUMENT when the message names a document (`msg.externalDocId`) and the task was created for another
 * one. A host need not say which document a task was created for.
 */
export function checkDocument(
  { externalDocId }: Message,
  task: { taskId: number; externalDocId?: string | null | undefined },
): void {
  if (typeof externalDocId !== 'string' || externalDocId === '' || !task.externalDocId) return
  if (externalDocId !== task.externalDocId)
    throw new NodeError(
      'OTHER_DOCUMENT',
      `Task ${task.taskId} was created for another document than the one in msg.externalDocId. Send the id of the right task, or delete ` +
        'msg.externalDocId if only the task is meant.',
    )
}

/**
 * The same as `checkDocument`, for a task that has not been read: reads it when the message names a document. An unknown task passes,
 * because the call that follows reports it.
 */
export async function checkDocumentOf(
  message: Message,
  client: Pick<Client, 'readTask'>,
  taskId: number,
  signal: AbortSignal,
): Promise<void> {
  if (typeof message.externalDocId !== 'string' || message.externalDocId === '') return
  const task = await client.readTask({ params: { id: taskId } }, { signal }).catch((failure: unknown) => {
    if (failure instanceof RefusedError && failure.status === 404) return null
    throw failure
  })
  if (task) checkDocument(message, task)
}
