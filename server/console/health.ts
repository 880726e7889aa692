/** How the workers of this process are, told to open pages by the connection they hold, so that asking keeps no session alive. */
import type { WorkerHealth } from '../workers/pulse.ts'
import type { WorkerState } from './messages.ts'

/** By the name that the console shows. */
export type Workers = Readonly<Record<string, { health(): WorkerHealth }>>

export const statesOf = (workers: Workers): WorkerState[] =>
  Object.entries(workers).map(([name, worker]) => ({ name, ...worker.health() }))
