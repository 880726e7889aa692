/** How the workers of this process are, told to open pages by the connection they hold, so that asking keeps no session alive. */
import type { WorkerHealth } from './pulse.ts'

/** A worker as its process saw it when it told. */
export interface WorkerState extends WorkerHealth {
  /** As the console shows it. */
  name: string
}

/** By the name that the console shows. */
export type Workers = Readonly<Record<string, { health(): WorkerHealth }>>

export const statesOf = (workers: Workers): WorkerState[] =>
  Object.entries(workers).map(([name, worker]) => ({ name, ...worker.health() }))
