/** What a part of the console shows, asked for again whenever the service says that something changed. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { WorkerState } from '../../console/messages.ts'
import { announce } from '../shared/announce.tsx'
import { call, sentenceOf } from '../shared/api.ts'

/** Somebody who touched nothing for so long is not at the page: asking for him would keep his session open. */
const AWAY_MS = 5 * 60 * 1000
/** What a change sets off, such as a delivery, has mostly ended by then. */
const AFTERMATH_MS = 1_500

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
let changes: EventSource | null = null

/** One connection for the whole page: a browser has few to each host. */
function follow(changed: () => void): () => void {
  followers.add(changed)
  if (!changes) {
    changes = new EventSource('/console/api/changes')
    changes.addEventListener('workers', ({ data }: MessageEvent<string>) => {
      heard = { workers: JSON.parse(data) as WorkerState[], at: Date.now() }
      for (const listener of listeners) listener(heard)
    })
    changes.addEventListener('changed', () => {
      if (Date.now() - usedAt < AWAY_MS) for (const follower of followers) follower()
    })
  }
  return () => {
    followers.delete(changed)
    if (followers.size > 0) return
    changes?.close()
    changes = null
  }
}

/** What the service last told of its workers, null until it did. */
export function useWorkers(): HeardWorkers | null {
  const [known, setKnown] = useState(heard)
  useEffect(() => {
    listeners.add(setKnown)
    return () => {
      listeners.delete(setKnown)
    }
  }, [])
  return known
}

/** The answer of the path, null until the first is there, and a function that asks again at once. */
export function useLive<T>(path: string): [T | null, () => Promise<void>] {
  const [answer, setAnswer] = useState<T | null>(null)
  const wanted = useRef(path)
  const load = useCallback(async () => {
    try {
      const next = await call<T>('GET', path)
      // An answer that was overtaken by another question is not shown.
      if (wanted.current === path) setAnswer(next)
    } catch (failure) {
      announce(sentenceOf(failure), 'wrong')
    }
  }, [path])
  useEffect(() => {
    wanted.current = path
    void load()
    let later: ReturnType<typeof setTimeout> | undefined
    const unfollow = follow(() => {
      void load()
      clearTimeout(later)
      later = setTimeout(() => void load(), AFTERMATH_MS)
    })
    return () => {
      clearTimeout(later)
      unfollow()
    }
  }, [load, path])
  return [answer, load]
}
