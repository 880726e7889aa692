/** Waits for the flows of this node: before they have started, what it sends may reach nobody. */
import type { Runtime } from './node-red.ts'

/** Calls `work` once, after the start or the deploy that has made the calling node. Returns a function that prevents it. */
export function onceFlowsStarted({ events }: Pick<Runtime, 'events'>, work: () => unknown): () => void {
  const stop = () => events.removeListener('flows:started', begin)
  const begin = () => {
    stop()
    work()
  }
  events.on('flows:started', begin)
  return stop
}

/** Resolves after the start or the deploy that has made the calling node, or when aborted. */
export const flowsStarted = (runtime: Pick<Runtime, 'events'>, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const stop = onceFlowsStarted(runtime, resolve)
    const abort = () => {
      stop()
      resolve()
    }
    signal.addEventListener('abort', abort, { once: true })
  })
