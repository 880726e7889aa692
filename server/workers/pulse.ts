/** The heartbeat of a worker: when it last made its round, and when it last met a fault. In memory, for this process alone. */
import type { Clock } from '../../lib/clock.ts'
import type { WorkerHealth } from '../domain/worker-health.ts'

export interface Pulse {
  /** A round ended well. */
  round(): void
  /** Something failed. */
  fault(): void
  health(): WorkerHealth
}

/** A round may be this much later than its rhythm, as on a busy machine. */
const PATIENCE_MS = 10_000

/** @param everyMs between two rounds of the worker when nothing wakes it, in milliseconds */
export function createPulse(clock: Clock, everyMs: number): Pulse {
  let roundAt: number | null = null
  let faultAt: number | null = null
  const since = (at: number | null) => (at === null ? null : Math.max(0, clock.now() - at))
  return {
    round() {
      roundAt = clock.now()
    },
    fault() {
      faultAt = clock.now()
    },
    health: () => ({
      sinceRoundMs: since(roundAt),
      sinceFaultMs: since(faultAt),
      lateAfterMs: everyMs + PATIENCE_MS,
    }),
  }
}
