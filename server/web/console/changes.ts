/** The page's one connection to the service, over which it hears that something changed, and how the workers are. */
import { useLayoutEffect, useState } from 'preact/hooks'
import type { WorkerState } from '../../workers/health.ts'

/** Somebody who touched nothing for so long is not at the page: asking for him would keep his session open. */
const AWAY_MS = 5 * 60 * 1000
/** A browser gives up for good when something else than the service answers, such as a proxy while the service restarts. */
const AGAIN_MS = 5_000
/** Another process on the same store tells its own pages only, so what is shown is asked for again now and then. */
const OTHERS_MS = 15_000

let usedAt = Date.now()
for (const event of ['pointermove', 'pointerdown', 'keydown'] as const)
  addEventListener(event, () => (usedAt = Date.now()), { passive: true })

export interface HeardWorkers {
  workers: readonly WorkerState[]
  /** When this page heard it, ms since 1970. */
  at: number
}
let heard: HeardWorkers | null = null
const listeners = new Set<(heard: HeardWorkers) => void>()

const followers = new Set<() => void>()
let connection: { close(): void } | null = null

/** Calls after each change, until what it returns is called. A browser has few connections to each host: all share one. */
export function follow(changed: () => void): () => void {
  followers.add(changed)
  connection ??= connect()
  return () => {
    followers.delete(changed)
    if (followers.size > 0) return
    connection?.close()
    connection = null
  }
}

/** What the service last told of its workers, null until it did. */
export function useWorkers(): HeardWorkers | null {
  const [known, setKnown] = useState(heard)
  useLayoutEffect(() => {
    listeners.add(setKnown)
    return () => {
      listeners.delete(setKnown)
    }
  }, [])
  return known
}

function tell(): void {
  if (Date.now() - usedAt < AWAY_MS) for (const follower of followers) follower()
}

function connect() {
  let source: EventSource
  let again: ReturnType<typeof setTimeout> | undefined
  let wasOpen = false
  const open = () => {
    source = new EventSource('/admin/v1/changes')
    source.addEventListener('open', () => {
      // What changed while the connection was broken was not heard.
      if (wasOpen) tell()
      wasOpen = true
    })
    source.addEventListener('error', () => {
      if (source.readyState === EventSource.CLOSED) again = setTimeout(open, AGAIN_MS)
    })
    source.addEventListener('workers', ({ data }: MessageEvent<string>) => {
      heard = { workers: JSON.parse(data) as WorkerState[], at: Date.now() }
      for (const listener of listeners) listener(heard)
    })
    source.addEventListener('changed', tell)
  }
  open()
  const others = setInterval(() => document.visibilityState === 'visible' && tell(), OTHERS_MS)
  return {
    close() {
      clearTimeout(again)
      clearInterval(others)
      source.close()
    },
  }
}
