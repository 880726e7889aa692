/** Returns the outcome of a document that the user was shown: for a page whose answer was lost, or whose document is gone. */
import * as z from 'zod'
import { ErrorBody } from '../../../lib/contract/error.ts'
import { pathId } from '../../../lib/contract/primitives.ts'
import type { TaskStatus } from '../../../lib/contract/task/task.ts'
import { gone } from './documents.ts'
import { Outcome } from './messages.ts'
import { signerRow } from './signer-context.ts'

/** Other statuses come before a document is in the inbox. */
const stateOf: Readonly<Partial<Record<TaskStatus, Outcome['state']>>> = {
  Pending: 'waiting',
  Completed: 'signed',
  Rejected: 'rejected',
  Retracted: 'withdrawn',
  Cancelled: 'cancelled',
}

export const readOutcome = signerRow({
  method: 'get',
  path: '/inbox/api/documents/:taskId/outcome',
  group: 'Documents',
  summary: 'Read what became of a document',
  who: ['signer'],
  params: z.object({ taskId: pathId() }),
  taskId: 'taskId',
  passive: true,
  responses: { 200: Outcome, 404: ErrorBody },
  async run({ inbox }, { params: { taskId } }) {
    const found = await inbox.outcome(taskId)
    const state = found && stateOf[found.status]
    if (!found || !state) return gone(taskId)
    const { at, isOwn, by, reason } = found
    return { state, at, byYou: isOwn, by, reason }
  },
})
