/**
 * Writes from time to time that this instance lives, how its workers are doing, and what it counted, so that the console can show all
 * instances.
 */
import { type Clock, timeOf } from '../../lib/clock.ts'
import { HEARTBEAT_MS } from '../choices.ts'
import type { WorkerState } from '../domain/worker-health.ts'
import type { Store } from '../store/store.ts'

export interface HeartbeatParts {
  store: Pick<Store, 'instances'>
  /** Writes what was counted in memory since the last time. */
  writeCounts(): Promise<void>
  clock: Clock
  /** Names this instance; never used before. */
  id: string
  version: string
  health(): readonly WorkerState[]
  onFault(fault: unknown): void
}

export interface Heartbeat {
  /** @param name where the instance runs */
  start(name: string): void
  /** Resolves when the store no longer lists the instance, or could not be told. */
  stop(): Promise<void>
}

export function createHeartbeat({ store, writeCounts, clock, onFault, health, ...own }: HeartbeatParts): Heartbeat {
  let isRunning = false
  let turn = Promise.resolve()
  let cancel = () => {}

  function beat(name: string, since: Date): void {
    turn = writeCounts()
      .catch(onFault)
      .then(() => store.instances.beat({ ...own, name, since, workers: health() }, timeOf(clock)))
      .catch(onFault)
      .finally(() => {
        if (isRunning) cancel = clock.after(HEARTBEAT_MS, () => beat(name, since))
      })
  }

  return {
    start(name) {
      isRunning = true
      beat(name, timeOf(clock))
    },
    async stop() {
      if (!isRunning) return
      isRunning = false
      cancel()
      await turn
      await writeCounts().catch(onFault)
      await store.instances.remove(own.id).catch(onFault)
    },
  }
}
