/** The status of a node that holds messages: how many it holds, or how many for too long, of which it also warns. */
import { FlowError, knownFailure } from '../runtime/failures.ts'
import type { Runtime, RuntimeNode } from '../runtime/node-red.ts'
import { type Shown, show, shownFailure } from '../runtime/status.ts'
import type { HeldQueue } from './held-queue.ts'

export interface HeldStatus {
  /** Shows how many messages are held now, or for too long. Never throws. */
  tell(queue: HeldQueue): void
  failed(failure: { code: string }): void
}

const DAY_MS = 86_400_000

/** @param maxDays how long a message may be held before there is a warning; 0 for ever */
export function createHeldStatus(runtime: Runtime, node: RuntimeNode, maxDays: number): HeldStatus {
  /** How many the last warning was about. */
  let warned = 0

  function shownOf(queue: HeldQueue): Shown | null {
    const { count } = queue
    const overdue = maxDays > 0 ? queue.heldFor(maxDays * DAY_MS) : 0
    if (overdue > warned) node.warn(runtime._('warning.overdue', { count: overdue, days: maxDays }))
    warned = overdue
    if (count === 0) return null
    if (overdue > 0) return { tone: 'bad', key: 'overdue', values: { count: overdue } }
    return { tone: 'waiting', key: 'holding', values: { count } }
  }

  const failed: HeldStatus['failed'] = ({ code }) => show(runtime, node, shownFailure(code))

  return {
    tell(queue) {
      try {
        show(runtime, node, shownOf(queue))
      } catch (failure) {
        const known = knownFailure(failure)
        node.error(new FlowError(known))
        failed(known)
      }
    },
    failed,
  }
}
