/** Starts and stops a service: what started last stops first, and the store is closed when nobody needs it any more. */
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { SHORT_STOP_PATIENCE, type STOP_PATIENCE } from '../choices.ts'
import type { Settings } from '../config.ts'
import { listen } from '../http/listen.ts'
import type { Store } from '../store/store.ts'
import type { Crew } from './crew.ts'
import type { Pools } from './pools.ts'

export interface LifetimeParts {
  server: Server
  settings: Pick<Settings, 'port' | 'host'>
  crew: Crew
  pools: Pools
  store: Store
  /** Aborted as soon as the service begins to stop. */
  stopping: AbortController
}

export interface Lifetime {
  /** Listens and begins to work. Rejects with a sentence when the port is taken. */
  start(): Promise<void>
  /**
   * Takes no more connections and no more work, and finishes what is under way, as long as `patience` lasts. The service
   * cannot be started again after this.
   */
  stop(patience?: typeof STOP_PATIENCE): Promise<void>
}

export function lifetime({ server, settings, crew, pools, store, stopping }: LifetimeParts): Lifetime {
  const closeRest = async () => {
    await pools.close()
    await store.close()
  }
  return {
    async start() {
      await listen(server, settings.port, settings.host).catch(async (failure) => {
        await closeRest()
        throw failure
      })
      crew.start()
    },
    async stop({ workMs, idleMs } = SHORT_STOP_PATIENCE) {
      stopping.abort()
      crew.live.close()
      // The close of an HTTP server would close idle connections at once, and with them requests that are on their way.
      const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve))
      const idle = setTimeout(() => {
        server.closeIdleConnections()
        // An answer that had begun before the stop leaves its connection open.
        idle.refresh()
      }, idleMs)
      const work = setTimeout(() => {
        server.closeAllConnections()
        crew.abandonCallbacks()
      }, workMs)
      await Promise.all([closed, crew.stop()])
      for (const timer of [idle, work]) clearTimeout(timer)
      await closeRest()
    },
  }
}
