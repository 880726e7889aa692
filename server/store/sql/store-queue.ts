/**
 * Measures what requests wait for: their turn at a connection of the database. In memory, for this process. A statement that takes
 * long is not counted as long as nothing waits for its connection.
 */
import type { Clock } from '../../../lib/clock.ts'

export interface QueueState {
  /** Statements and transactions that wait for a connection. */
  waiting: number
  /** How long the oldest of them has waited; 0 when none waits. */
  oldestMs: number
}

export interface StoreQueue {
  /** Counts as waiting until `acquire` has settled. */
  acquiring<T>(acquire: () => Promise<T>): Promise<T>
  state(): QueueState
}

export function createStoreQueue(clock: Pick<Clock, 'now'>): StoreQueue {
  /** In the order in which they began. */
  const waiting = new Set<{ since: number }>()
  return {
    async acquiring(acquire) {
      const entry = { since: clock.now() }
      waiting.add(entry)
      try {
        return await acquire()
      } finally {
        waiting.delete(entry)
      }
    },
    state() {
      const [oldest] = waiting
      return { waiting: waiting.size, oldestMs: oldest ? Math.max(0, clock.now() - oldest.since) : 0 }
    },
  }
}
