/** The signed PDF of a task. It never looks inside the document. */
import { createHash } from 'node:crypto'
import type { Task } from '../contract/task/task.ts'
import type { CallOptions, Client } from './client.ts'
import { TaskStatusError } from './task-status-error.ts'

/** A signed PDF as it came. */
export interface SignedDocument {
  /** The PDF. */
  bytes: Buffer
  /** The digest of the bytes, in lower-case hexadecimal. */
  sha256: string
  /** The task as read: its output still has the document as Base64. */
  task: Task
}

/**
 * Returns the signed PDF of a Completed task.
 * @throws TaskStatusError with NOT_COMPLETED before the signer has signed, with NO_SIGNED_PDF when a Completed task came
 * without it; else the client's errors
 */
export async function fetchSigned(
  client: Pick<Client, 'readTask'>,
  taskId: number,
  options: CallOptions = {},
): Promise<SignedDocument> {
  const task = await client.readTask({ params: { id: taskId }, query: { includeOutputAttachment: true } }, options)
  const { status, output } = task
  if (status !== 'Completed') throw new TaskStatusError('NOT_COMPLETED', taskId, status)
  if (!output?.attachment) throw new TaskStatusError('NO_SIGNED_PDF', taskId, status)
  const bytes = Buffer.from(output.attachment, 'base64')
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex'), task }
}
