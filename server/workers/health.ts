/** How the workers of this process are doing, for the pages. These are told, because asking would keep their sessions alive. */
import type { WorkerHealth, WorkerState } from '../domain/worker-health.ts'

/** The workers, by the names that the console shows. */
export type Workers = Readonly<Record<string, { health(): WorkerHealth }>>

export const statesOf = (workers: Workers): WorkerState[] =>
  Object.entries(workers).map(([name, worker]) => ({ name, ...worker.health() }))
