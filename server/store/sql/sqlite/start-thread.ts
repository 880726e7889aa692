/** Starts the thread in which SQLite works, or hands out one that was started early. */
import { Worker } from 'node:worker_threads'
import { moduleAt } from '../../../../lib/places.ts'

/** Rows and statements are small; large documents are in memory outside of the heap. */
const YOUNG_MB = 4

let early: Worker | undefined

/** Starts the thread while the rest of the service is loaded, which takes about twice as long. */
export function startThreadEarly(): void {
  early ??= started()
  // If nothing comes of it, the process ends all the same.
  early.unref()
}

/** Returns a thread that waits for its file. */
export function startThread(): Worker {
  const worker = early ?? started()
  early = undefined
  worker.ref()
  return worker
}

const started = () =>
  new Worker(moduleAt('server/store/sql/sqlite/thread'), { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } })
