/** Tells listeners that something changed and how the workers are, and nothing else: what changed, each of them asks for. */
import type { Writable } from 'node:stream'
import { rowsFor } from '../row.ts'
import { type OperatorContext, STAFF } from './operator-context.ts'

export interface ChangesContext extends OperatorContext {
  /** Writes an event at each change, until the caller may no longer follow. */
  follow(to: Writable, mayFollow: () => Promise<boolean>): void
  /** Whether the caller would still be let in, with the same role and organization. */
  isStillIn(): Promise<boolean>
}

export const followChanges = rowsFor<ChangesContext>()({
  method: 'get',
  path: '/admin/v1/changes',
  group: 'Changes',
  summary: 'Follow changes as server-sent events: `changed`, without saying what; `workers`, with how they are',
  who: STAFF,
  // A page that is open all night must not keep its session alive by listening.
  passive: true,
  responses: { 200: 'stream' },
  run:
    async ({ follow, isStillIn }) =>
    (to) =>
      follow(to, isStillIn),
})
