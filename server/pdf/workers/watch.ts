/**
 * Watches one job in a worker thread and ends it when it takes too long or makes the process grow too much. The limits of
 * worker threads bound the JavaScript heap, not the byte arrays that a bomb expands into, so the process is measured.
 */
import { growthBytes, type Memory, memoryNow } from './memory-growth.ts'
import { isDone, type Progress, pagesToRead, threadOf, wasBegun } from './progress.ts'
import { waitedMs } from './thread-wait.ts'

export interface WatchLimits {
  /** How long a job may take on the clock, however long it waits for a processor, and how long it may wait to be begun. */
  starvedAfterMs?: number
  timeoutMs: number
  pageTimeoutMs: number
  maxGrowthBytes: number
}

/** `starved`: the machine was too busy to tell whether the document takes too long. */
export type Ended = 'too slow' | 'too large' | 'crashed' | 'starved'

const POLL_MS = 20
/** Pages for which the plain time limit is enough. */
const PAGES_INCLUDED = 50
/**
 * A job that mostly waits for a processor, or has not begun, is ended after so long on the clock. Far longer than any limit of
 * processor time: a busy machine makes callers wait, and says nothing about the document. Shorter than the time after which a silent
 * connection is closed.
 */
const STARVED_AFTER_MS = 100_000

/**
 * The time limit does not count the time in which the thread waited for a processor: the document is not to blame for that.
 * Resolves with what the job hands back, or with why it was ended. Throws when its thread ended before it began: then the thread is broken.
 * @param run begins the job; ends it and rejects when its signal aborts, and rejects when the thread ends
 */
export async function watchJob<T>(
  run: (signal: AbortSignal) => Promise<T>,
  progress: Progress,
  { timeoutMs, pageTimeoutMs, maxGrowthBytes, starvedAfterMs = STARVED_AFTER_MS }: WatchLimits,
): Promise<{ handedBack: T } | { ended: Ended }> {
  const stop = new AbortController()
  const submittedAt = performance.now()
  let started: { at: number; waited: number; memory: Memory } | null = null
  let ended: Ended | null = null
  const end = (why: Ended) => {
    ended = why
    stop.abort()
  }
  const poll = setInterval(() => {
    if (isDone(progress)) return
    const now = performance.now()
    if (started === null) {
      if (wasBegun(progress)) started = { at: now, waited: waitedMs(threadOf(progress)), memory: memoryNow() }
      else if (now - submittedAt > starvedAfterMs) end('starved')
      return
    }
    const limitMs = timeoutMs + Math.max(0, pagesToRead(progress) - PAGES_INCLUDED) * pageTimeoutMs
    const passedMs = now - started.at
    // Looked up only when it can matter, because jobs are looked at many times a second.
    const waited = passedMs > limitMs ? waitedMs(threadOf(progress)) - started.waited : 0
    if (passedMs - waited > limitMs) end('too slow')
    else if (passedMs > Math.max(starvedAfterMs, limitMs)) end('starved')
    else if (growthBytes(started.memory, memoryNow()) > maxGrowthBytes) end('too large')
  }, POLL_MS)
  try {
    return { handedBack: await run(stop.signal) }
  } catch (error) {
    if (!ended && started === null && !wasBegun(progress)) throw error
    const isOutOfMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
    return { ended: isOutOfMemory ? 'too large' : (ended ?? 'crashed') }
  } finally {
    clearInterval(poll)
  }
}
