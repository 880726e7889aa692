/**
 * Gives memory back after work. V8 collects garbage as something is allocated, and a service at rest allocates next to nothing: what
 * a storm of documents has left would stay.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export interface MemoryAtRest {
  /** Work is done; more may come at once. */
  worked(): void
  close(): void
}

/** @param idleMs so long after the last work, so that no one waits for it */
export function memoryAtRest(idleMs: number, giveBack: () => void = collectGarbage): MemoryAtRest {
  let waiting: NodeJS.Timeout | undefined
  return {
    worked() {
      clearTimeout(waiting)
      waiting = setTimeout(giveBack, idleMs).unref()
    },
    close() {
      clearTimeout(waiting)
    },
  }
}

/** Collects the garbage of this thread, which takes some tens of milliseconds. */
export function collectGarbage(): void {
  // Otherwise V8 keeps the room for what is short-lived, as large as it was under load.
  garbageCollector()?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/**
 * Returns the function of V8 that collects the garbage of this thread. Undefined, now and then, while another thread asks for its own:
 * the flag that shows the function belongs to the whole process, and the other thread may take it back too soon.
 */
export function garbageCollector(): NodeJS.GCFunction | undefined {
  // Node.js has no other way to ask V8. The function is in a context of its own.
  setFlagsFromString('--expose-gc')
  const collector = runInNewContext('globalThis.gc') as NodeJS.GCFunction | undefined
  setFlagsFromString('--no-expose-gc')
  return collector
}
