/** Tells listeners that something changed, and how the workers are, and nothing else: each asks for what changed. */
import type { Writable } from 'node:stream'
import { rowsFor } from '../row.ts'
import { type OperatorContext, STAFF } from './operator-context.ts'

export interface ChangesContext extends OperatorContext {
  /** Writes a line at each change, until the caller may follow no more. */
  follow(to: Writable, mayFollow: () => Promise<boolean>): void
  /** Whether the caller would still be let in, as the same one. */
  isStillIn(): Promise<boolean>
}

export const followChanges = rowsFor<ChangesContext>()({
  method: 'get',
  path: '/admin/v1/changes',
  group: 'Changes',
  summary: 'Follow changes as server-sent events: changed, without a word of what; workers, with how they are',
  who: STAFF,
  // A page that is open all night must not keep its session alive by listening.
  passive: true,
  responses: { 200: 'stream' },
  run:
    async ({ follow, isStillIn }) =>
    (to) =>
      follow(to, isStillIn),
})
