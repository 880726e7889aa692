/**
 * Tells open pages that something changed and how the workers are doing, and nothing else: each page asks with its own session
 * what has changed.
 */
import type { Writable } from 'node:stream'
import { statesOf, type Workers } from './health.ts'
import { whileFollowed } from './while-followed.ts'

export interface Live {
  /** Tells `to` of each change, as server-sent events, until `mayFollow` says no. */
  follow(to: Writable, mayFollow: () => Promise<boolean>): void
  /** Says that something changed. */
  changed(): void
  /** Ends every open connection, and any that comes later, so that the service can stop. */
  close(): void
}

/** Changes come in bursts; a page need not ask after each of them. */
const GATHER_MS = 250
/** Often enough for a person who watches, and for proxies, which end silent connections. */
const HEALTH_EVERY_MS = 5_000
/** How often sessions are looked at: one may end in another process, by the command line, or because its time is over. */
const SESSION_EVERY_MS = 1_000

export function createLive(workers: Workers): Live {
  const followers = new Map<Writable, () => Promise<boolean>>()
  let isClosed = false
  let gathering: NodeJS.Timeout | null = null
  const tell = (text: string) => {
    for (const follower of followers.keys()) follower.write(text)
  }
  const health = () => `event: workers\ndata: ${JSON.stringify(statesOf(workers))}\n\n`
  const endWithSession = async ([follower, mayFollow]: [Writable, () => Promise<boolean>]) => {
    // While the store does not answer, nobody is known.
    if (!(await mayFollow().catch(() => false))) follower.end()
  }
  const timers = whileFollowed(
    [HEALTH_EVERY_MS, () => tell(health())],
    [SESSION_EVERY_MS, () => void Promise.all([...followers].map(endWithSession))],
  )

  return {
    follow(to, mayFollow) {
      if (isClosed) return void to.end()
      to.write(`retry: 5000\n\n${health()}`)
      followers.set(to, mayFollow)
      timers.begin()
      to.once('close', () => {
        followers.delete(to)
        if (followers.size === 0) timers.end()
      })
    },
    changed() {
      gathering ??= setTimeout(() => {
        gathering = null
        tell('event: changed\ndata:\n\n')
      }, GATHER_MS)
    },
    close() {
      isClosed = true
      timers.end()
      if (gathering) clearTimeout(gathering)
      for (const follower of followers.keys()) follower.end()
    },
  }
}
