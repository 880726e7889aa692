/** Tells listeners that something changed and how the workers are, and nothing else: what changed, each of them asks for. */
import { ErrorBody } from '../../../lib/contract/error.ts'
import { rowsFor, type StreamAnswer } from '../row.ts'
import { type OperatorContext, STAFF } from './operator-context.ts'

export interface ChangesContext extends OperatorContext {
  /** Returns what writes an event at each change, until the caller may no longer follow. Throws `Busy` when too many do. */
  follow(): StreamAnswer
}

export const followChanges = rowsFor<ChangesContext>()({
  method: 'get',
  path: '/admin/v1/changes',
  group: 'Changes',
  summary: 'Follow changes as server-sent events: `changed`, without saying what; `workers`, with how they are',
  who: STAFF,
  // A page that is open all night must not keep its session alive by listening.
  passive: true,
  responses: { 200: 'stream', 503: ErrorBody },
  run: async ({ follow }) => follow(),
})
