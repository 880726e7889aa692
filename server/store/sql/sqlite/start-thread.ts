/** Starts the thread in which SQLite works, or hands out one that was started early. */
import { Worker } from 'node:worker_threads'
import { moduleAt } from '../../../../lib/places.ts'

/** Rows and statements are small; large documents are in memory outside of the heap. */
const YOUNG_MB = 4

export interface SqliteThread {
  worker: Worker
  /** Hands it a message. */
  post(message: unknown, transferList?: readonly ArrayBuffer[]): void
}

let early: SqliteThread | undefined

/** Starts the thread while the rest of the service is loaded, which takes about twice as long. */
export function startThreadEarly(): void {
  early ??= started()
  // If nothing comes of it, the process ends all the same.
  early.worker.unref()
}

/** Returns a thread that waits for its file. */
export function startThread(): SqliteThread {
  const thread = early ?? started()
  early = undefined
  thread.worker.ref()
  return thread
}

function started(): SqliteThread {
  const bell = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const worker = new Worker(moduleAt('server/store/sql/sqlite/thread'), {
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    workerData: bell,
    // Node.js 22 would print that SQLite is experimental, among the lines of the log.
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  return {
    worker,
    post(message, transferList = []) {
      worker.postMessage(message, transferList)
      Atomics.add(bell, 0, 1)
      Atomics.notify(bell, 0)
    },
  }
}
