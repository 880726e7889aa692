/** Measures how long a request waits until the event loop gets to it. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

export interface EventLoop {
  /** How long requests waited in the last seconds, on average. */
  waitMs(): number
}

/** Seldom, so that a service at rest stays at rest. */
const SAMPLE_EVERY_MS = 100
const WINDOW_MS = 5_000

/** @param stopping ends the measuring */
export function watchEventLoop(stopping: AbortSignal): EventLoop {
  const samples = monitorEventLoopDelay({ resolution: SAMPLE_EVERY_MS })
  samples.enable()
  let waitMs = 0
  const timer = setInterval(() => {
    waitMs = expectedWaitMs(samples)
    samples.reset()
  }, WINDOW_MS).unref()
  stopping.addEventListener('abort', () => {
    clearInterval(timer)
    samples.disable()
  })
  return { waitMs: () => waitMs }
}

/**
 * Returns how long a request waits that comes at a random moment. It is more likely to come in a long interval between two turns of
 * the loop than in a short one, and waits half of it on average: E[d²] / 2 E[d].
 *
 * @param samples intervals in nanoseconds
 */
export function expectedWaitMs({ mean, stddev }: { mean: number; stddev: number }): number {
  // Nothing was measured yet.
  if (!(mean > 0)) return 0
  return (stddev ** 2 + mean ** 2) / (2 * mean) / 1e6
}
