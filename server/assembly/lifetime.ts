/** Starts and stops a service: what started last stops first, and the store is closed when nobody needs it any more. */
import type { Server } from 'node:http'
import type { Settings } from '../config.ts'
import { listen } from '../http/listen.ts'
import type { Store } from '../store/store.ts'
import type { Readiness } from '../workers/readiness.ts'
import type { Crew } from './crew.ts'
import type { Pools } from './pools.ts'

export interface LifetimeParts {
  server: Server
  settings: Pick<Settings, 'port' | 'host' | 'metricsPort' | 'metricsHost'>
  crew: Crew
  pools: Pools
  store: Store
  readiness: Pick<Readiness, 'stopping'>
  /** Hands out the metrics; null when nobody asked for them. */
  metrics: Server | null
}

export interface Lifetime {
  /** Listens and begins to work. Rejects with a sentence when the port is taken. */
  start(): Promise<void>
  /** Finishes what is under way. The service cannot be started again after this. */
  stop(): Promise<void>
}

/** How long a request under way may go on when the service stops. */
const STOP_PATIENCE_MS = 5_000

export function lifetime({ server, settings, crew, pools, store, readiness, metrics }: LifetimeParts): Lifetime {
  const closeRest = async () => {
    await pools.close()
    await store.close()
  }
  return {
    async start() {
      const listening = async () => {
        await listen(server, settings.port, settings.host)
        if (metrics) await listen(metrics, settings.metricsPort ?? 0, settings.metricsHost, '--metrics-')
      }
      await listening().catch(async (failure) => {
        server.close()
        await closeRest()
        throw failure
      })
      crew.start()
    },
    async stop() {
      readiness.stopping()
      crew.live.close()
      metrics?.close()
      metrics?.closeAllConnections()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeIdleConnections()
      const patience = setTimeout(() => {
        server.closeAllConnections()
        crew.abandonCallbacks()
      }, STOP_PATIENCE_MS)
      await Promise.all([closed, crew.stop()])
      clearTimeout(patience)
      await closeRest()
    },
  }
}
