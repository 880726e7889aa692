/** Looks in the host's list for the task of a document. It proves presence; absence only as far as the list can be trusted. */

import { isFinal, type Task, type TaskStatus } from '../../contract/task/task.ts'
import { utcTime } from '../../contract/utc-time.ts'
import type { Client } from '../client.ts'
import { UnauthorizedError } from '../errors.ts'
import { tasksOfDocument } from '../list-all.ts'
import type { CreateOptions } from './creating.ts'

export type Found =
  | { is: 'one'; task: Task }
  | { is: 'several'; taskIds: number[] }
  /** Created since, and ended without being signed: never adopted, and no reason to send again. */
  | { is: 'ended'; taskIds: number[] }
  | { is: 'absent' }
  /** The list could not be read, or may be incomplete. */
  | { is: 'unknown'; error?: unknown }

export interface CreatedSearch {
  client: Pick<Client, 'listTasks'>
  externalDocId: string
  /**
   * When the document was first tried, in milliseconds since 1970: a task that was created before and has ended is an earlier
   * one, which is left alone.
   */
  since: number
}

/** Whether a task will never be signed: a document must not be taken for sent because of one. */
const isEnded = (status: TaskStatus) => isFinal(status) && status !== 'Completed'

/** How far the clocks of the host and of this machine may differ. */
const CLOCK_SKEW_MS = 300_000

/** Rejects when the key is refused or the signal aborted; any other failure leaves it `unknown`. */
export async function findCreated(
  { client, externalDocId, since }: CreatedSearch,
  options: CreateOptions,
): Promise<Found> {
  try {
    const { tasks, isComplete } = await tasksOfDocument(client, externalDocId, options)
    const live = tasks.filter(({ status }) => !isEnded(status))
    const [task] = live
    if (task)
      return live.length === 1 ? { is: 'one', task } : { is: 'several', taskIds: live.map(({ taskId }) => taskId) }
    const ended = tasks.filter(({ createdAt }) => !createdAt || utcTime(createdAt) >= since - CLOCK_SKEW_MS)
    if (ended.length > 0) return { is: 'ended', taskIds: ended.map(({ taskId }) => taskId) }
    return { is: isComplete ? 'absent' : 'unknown' }
  } catch (failure) {
    options.signal?.throwIfAborted()
    // A key that is refused stays refused: looking again would not help, and the caller can fix it.
    if (failure instanceof UnauthorizedError) throw failure
    options.onRetry?.(failure)
    return { is: 'unknown', error: failure }
  }
}
