/** Starts and stops a service: what started last stops first, and the store is closed when no one needs it any more. */
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { SHORT_STOP_PATIENCE } from '../choices.ts'
import type { Settings } from '../config.ts'
import { listen, placeOf } from '../http/listen.ts'
import type { Lifetime } from '../service.ts'
import type { Store } from '../store/store.ts'
import type { Crew } from './crew.ts'
import type { Pools } from './pools.ts'

export interface LifetimeParts {
  server: Server
  /** Loads what a start need not wait for. */
  loadTables(): Promise<void>
  settings: Pick<Settings, 'port' | 'host' | 'metricsPort' | 'metricsHost'>
  crew: Crew
  pools: Pools
  store: Store
  /** Aborted as soon as the service begins to stop. */
  stopping: AbortController
  /** Hands out the metrics; null when no one asked for them. */
  metrics: Server | null
}

/** How often idle connections are looked for once their time is over: an answer that had begun before the stop leaves its own open. */
const SWEEP_MS = 200

/** Who waits for the first answers comes first. */
const LOAD_TABLES_AFTER_MS = 500

export function lifetime({
  server,
  loadTables,
  settings,
  crew,
  pools,
  store,
  stopping,
  metrics,
}: LifetimeParts): Lifetime {
  let loading: NodeJS.Timeout | undefined
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
      crew.start(placeOf(server))
      // A request that needs one of them says what is wrong with it.
      loading = setTimeout(() => void loadTables().catch(() => {}), LOAD_TABLES_AFTER_MS).unref()
    },
    async stop({ workMs, idleMs } = SHORT_STOP_PATIENCE) {
      stopping.abort()
      clearTimeout(loading)
      crew.live.close()
      crew.inboxFeed.close()
      metrics?.close()
      metrics?.closeAllConnections()
      // The close of an HTTP server would close idle connections at once, and with them requests that are on their way.
      const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve))
      let sweeping: NodeJS.Timeout | undefined
      const idle = setTimeout(() => {
        server.closeIdleConnections()
        sweeping = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
      }, idleMs)
      const work = setTimeout(() => {
        server.closeAllConnections()
        crew.abandon()
      }, workMs)
      await Promise.all([closed, crew.stop()])
      for (const timer of [idle, sweeping, work]) clearTimeout(timer)
      await closeRest()
    },
  }
}
