/** How the workers of this process are doing, for the pages. These are told, because asking would keep their sessions alive. */
import type { WorkerHealth } from './pulse.ts'

/** A worker as its process saw it at that moment. */
export interface WorkerState extends WorkerHealth {
  /** As the console shows it. */
  name: string
}

/** The workers, by the names that the console shows. */
export type Workers = Readonly<Record<string, { health(): WorkerHealth }>>

export const statesOf = (workers: Workers): WorkerState[] =>
  Object.entries(workers).map(([name, worker]) => ({ name, ...worker.health() }))
