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
      waiting ??= setTimeout(() => {
        waiting = undefined
        giveBack()
      }, idleMs).unref()
      waiting.refresh()
    },
    close() {
      clearTimeout(waiting)
      waiting = undefined
    },
  }
}

/** Collects the garbage of this thread, which takes some tens of milliseconds. */
export function collectGarbage(): void {
  // Node.js has no other way to ask V8. The function is in a context of its own, which goes with it.
  setFlagsFromString('--expose-gc')
  const collect: (how: object) => void = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  // Otherwise V8 keeps the room for what is short-lived, as large as it was under load.
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
