/** What the journal of create-once knows of a document: hashes, ids, states and times; no id of a sender and no content. */
import { createHash } from 'node:crypto'
import type { TaskStatus } from '../../contract/task/task.ts'

export interface CreateEntry {
  /**
   * `new`: certainly not created. `intent`: sent or about to be sent, outcome unknown. `created`: there is a task.
   * `refused`: the service said no. `held`: outcome unknown, and a person has to look.
   */
  state: 'new' | 'intent' | 'created' | 'refused' | 'held'
  bodyHash: string
  /** POSTs so far. */
  attempts: number
  /** When the document was first tried, milliseconds since 1970. */
  firstAt: number
  /** From when on the last POST can no longer be under way. Unknown outcomes settle from here. */
  overAt: number
  taskId?: number
  /** The status as it was when the task was created or adopted. */
  status?: TaskStatus
}

/** The key of a document under a service and key (`serviceScope`). A hash, because senders' ids can identify patients. */
export const createKey = (scope: string, externalDocId: string): string =>
  createHash('sha256').update(`${scope}\n${externalDocId}`).digest('hex')
