/** The page's one connection to the service, over which it hears that something changed, and how the workers are doing. */
import { useLayoutEffect, useState } from 'preact/hooks'
import type { WorkerState } from '../../domain/worker-health.ts'
import { openEventStream } from '../shared/live/event-stream.ts'
import { ADMIN } from './admin-api.ts'

/** A visitor who has touched nothing for this long is away: to continue asking would keep the session open. */
const AWAY_MS = 5 * 60 * 1000
/** Another process on the same store tells only its own pages of changes, so this page also asks from time to time. */
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

/**
 * Calls after each change. Returns a function that ends this. All followers share one connection, because a browser allows few to
 * a host.
 */
export function follow(onChange: () => void): () => void {
  followers.add(onChange)
  connection ??= connect()
  return () => {
    followers.delete(onChange)
    if (followers.size > 0) return
    connection?.close()
    connection = null
  }
}

/** Returns what the service last said of its workers, null until it has. */
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
  let wasOpen = false
  const stream = openEventStream(`${ADMIN}/changes`, {
    open() {
      // Changes during a broken connection were not received.
      if (wasOpen) tell()
      wasOpen = true
    },
    workers(data) {
      heard = { workers: JSON.parse(data) as WorkerState[], at: Date.now() }
      for (const listener of listeners) listener(heard)
    },
    changed: tell,
  })
  const others = setInterval(() => document.visibilityState === 'visible' && tell(), OTHERS_MS)
  return {
    close() {
      clearInterval(others)
      stream.close()
    },
  }
}
