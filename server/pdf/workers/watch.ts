/**
 * Watches one job in a worker thread and ends it when it takes too long or makes the process grow too much. The limits of
 * worker threads bound the JavaScript heap, not the byte arrays that a bomb expands into, so the process is measured.
 */
import type { Progress } from './jobs.ts'

export interface WatchLimits {
  timeoutMs: number
  pageTimeoutMs: number
  maxGrowthBytes: number
}

export type Ended = 'too slow' | 'too large' | 'crashed'

const POLL_MS = 20
/** Pages for which the plain time limit is enough. */
const PAGES_INCLUDED = 100
/** A thread that has not loaded its libraries by then is broken, whatever the document. */
const START_TIMEOUT_MS = 30_000

/**
 * Resolves with what the job hands back, or with why it was ended. Throws when the job never began: then the thread is broken.
 * @param run begins the job; ends it and rejects when its signal aborts, and rejects when the thread ends
 */
export async function watchJob<T>(
  run: (signal: AbortSignal) => Promise<T>,
  progress: Progress,
  { timeoutMs, pageTimeoutMs, maxGrowthBytes }: WatchLimits,
): Promise<{ handedBack: T } | { ended: Ended }> {
  const stop = new AbortController()
  const submittedAt = performance.now()
  let startedAt: number | null = null
  let before = memoryOfOthers()
  let ended: Ended | null = null
  const poll = setInterval(() => {
    const now = performance.now()
    if (startedAt === null) {
      if (Atomics.load(progress, 0) === 1) {
        startedAt = now
        before = memoryOfOthers()
      } else if (now - submittedAt > START_TIMEOUT_MS) stop.abort()
      return
    }
    const extraPages = Math.max(0, Atomics.load(progress, 1) - PAGES_INCLUDED)
    if (now - startedAt > timeoutMs + extraPages * pageTimeoutMs) ended = 'too slow'
    else if (memoryOfOthers() - before > maxGrowthBytes) ended = 'too large'
    if (ended) stop.abort()
  }, POLL_MS)
  try {
    return { handedBack: await run(stop.signal) }
  } catch (error) {
    if (startedAt === null && Atomics.load(progress, 0) === 0) throw error
    const isOutOfMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
    return { ended: isOutOfMemory ? 'too large' : (ended ?? 'crashed') }
  } finally {
    clearInterval(poll)
  }
}

/** Memory of the process in bytes, without that of this thread, which goes on serving large requests. */
function memoryOfOthers(): number {
  const { rss, heapTotal, external } = process.memoryUsage()
  return rss - heapTotal - external
}
