/** Removes from the bucket what no document names any more: after retention, and after a process that was killed between two steps. */
import { type Clock, timeOf } from '../../lib/clock.ts'
import { OBJECT_REMOVAL_LEASE_MS } from '../choices.ts'
import type { Objects } from '../store/objects/objects.ts'
import { createWorker, type Worker } from './worker.ts'

export interface ObjectRemovalParts {
  objects: Pick<Objects, 'claim' | 'remove' | 'nextDue'>
  clock: Clock
  onFault(fault: unknown): void
}

const SLOTS = 4
const LOOK_EVERY_MS = 60_000

export const createObjectRemoval = ({ objects, clock, onFault }: ObjectRemovalParts): Worker =>
  createWorker<string>({
    clock,
    slots: SLOTS,
    lookEveryMs: LOOK_EVERY_MS,
    claim(limit) {
      const at = timeOf(clock)
      return objects.claim({ at, leaseUntil: new Date(at.getTime() + OBJECT_REMOVAL_LEASE_MS), limit })
    },
    run: (name) => objects.remove(name),
    nextDue: () => objects.nextDue(),
    onFault,
  })
