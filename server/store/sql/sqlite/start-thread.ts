/** Starts the thread in which SQLite works, or hands out one that was started early. */
import { Worker } from 'node:worker_threads'
import { moduleAt } from '../../../../lib/places.ts'

/** Rows and statements are small; large documents are in memory outside of the heap. */
const YOUNG_MB = 4

let early: Worker | undefined

/** For whoever will open a store and has much to load before that: a thread takes as long to start as half of the service to load. */
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
