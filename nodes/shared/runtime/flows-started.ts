/** Waits for the flows of this node: before they have started, what it sends may reach no one. */
import type { Runtime } from './node-red.ts'

/** The work that waits, by the events of its Node-RED: one listener for all nodes, because Node.js warns of more than ten. */
const waiting = new WeakMap<Runtime['events'], Set<() => unknown>>()

/** Calls `work` once, after the start or the deploy that has made the calling node. Returns a function that prevents it. */
export function onceFlowsStarted({ events }: Pick<Runtime, 'events'>, work: () => unknown): () => void {
  const works = waiting.get(events) ?? listenTo(events)
  const entry = () => work()
  works.add(entry)
  return () => void works.delete(entry)
}

function listenTo(events: Runtime['events']): Set<() => unknown> {
  const works = new Set<() => unknown>()
  waiting.set(events, works)
  events.on('flows:started', () => {
    const due = [...works]
    works.clear()
    for (const work of due) work()
  })
  return works
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
