/**
 * Finds out whether a service can be called, once for all its nodes: as soon as one of them listens, again after growing pauses
 * while it cannot, and at long intervals while it can.
 */
import { grown, SERVICE_BACK_OFF, spread } from '../../../lib/back-off.ts'
import type { Clock } from '../../../lib/clock.ts'
import { knownFailure } from '../runtime/failures.ts'
import { createNews } from '../runtime/news.ts'
import { type Shown, shownFailure } from '../runtime/status.ts'
import type { Connection } from './connection.ts'

export interface ConnectionWatch {
  /** Calls back with what is known, and with each change. Returns a function that removes the listener. */
  listen(listener: (shown: Shown) => void): () => void
  /** Shows this in the place of a good connection; null shows the connection itself. */
  beside(shown: Shown | null): void
}

export interface ConnectionWatchOptions {
  connect: () => Promise<Connection>
  clock: Clock
  random: () => number
  /** Called with what to do about a connection that has become bad. */
  warn: (text: string) => void
  /** Aborted when the configuration node closes. */
  signal: AbortSignal
}

/** How long a service that could be called is left alone. */
const CALM_MS = 5 * 60_000

export function createConnectionWatch(options: ConnectionWatchOptions): ConnectionWatch {
  const { clock, random, warn, signal } = options
  const news = createNews<Shown>()
  let known: Shown | null = null
  let isWatching = false
  let beside: Shown | null = null
  const shownNow = (shown: Shown) => (shown.tone === 'bad' ? shown : (beside ?? shown))

  const watch = async () => {
    for (let failures = 0; !signal.aborted; ) {
      const { shown, warning } = await connectionOf(options)
      if (signal.aborted) return
      const isNew = shown.key !== known?.key
      known = shown
      if (isNew) news.tell(shownNow(shown))
      if (isNew && warning !== undefined) warn(warning)
      failures = shown.tone === 'bad' ? failures + 1 : 0
      const pauseMs = failures > 0 ? grown(SERVICE_BACK_OFF, failures) : CALM_MS
      await clock.sleep(spread(pauseMs, random()), signal).catch(() => {})
    }
  }

  return {
    listen(listener) {
      if (known) listener(shownNow(known))
      if (!isWatching) {
        isWatching = true
        void watch()
      }
      return news.listen(listener)
    },
    beside(shown) {
      if (JSON.stringify(shown) === JSON.stringify(beside)) return
      beside = shown
      if (known) news.tell(shownNow(known))
    },
  }
}

interface Found {
  shown: Shown
  /** Set when a call failed. The configuration node reports wrong settings when it starts. */
  warning?: string
}

/** The calls do not take turns with those of flows, which may wait for minutes. */
async function connectionOf({ connect, signal }: ConnectionWatchOptions): Promise<Found> {
  let connection: Connection
  try {
    connection = await connect()
  } catch (failure) {
    return { shown: shownFailure(knownFailure(failure).code) }
  }
  const { direct, simulated } = connection
  if (simulated) return { shown: { tone: 'idle', key: 'simulated' } }
  try {
    await direct.checkHealth({}, { signal })
    await direct.listDocumentTypes({}, { signal })
  } catch (failure) {
    const { code, message } = knownFailure(failure)
    if (code !== 'RATE_LIMITED') return { shown: shownFailure(code), warning: message }
  }
  return { shown: { tone: 'good', key: 'connected' } }
}
