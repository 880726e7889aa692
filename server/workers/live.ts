/**
 * Tells open pages that something changed and how the workers are doing, and nothing else: each page asks with its own session
 * what has changed. The store is asked once for all of them whether their sessions and keys still let them in.
 */
import type { Writable } from 'node:stream'
import { type Clock, timeOf } from '../../lib/clock.ts'
import { SESSION_IDLE_MS } from '../choices.ts'
import type { PersonRole, Standing } from '../store/directory/people.ts'
import type { Store } from '../store/store.ts'
import { statesOf, type Workers } from './health.ts'
import { dismiss, tell } from './listeners.ts'
import { whileFollowed } from './while-followed.ts'

export interface Live {
  /** Tells `to` of each change, as server-sent events, until the session or the key ends or no longer has the same standing. */
  follow(to: Writable, whose: Followed): void
  /** Says that something changed. */
  changed(): void
  /** Ends every open connection, and any that comes later, so that the service can stop. */
  close(): void
}

export interface Followed extends Standing {
  by: 'session' | 'key'
  /** Digest of the id of the session, or the id of the key. */
  id: string
}

export interface LiveParts {
  store: { sessions: Pick<Store['sessions'], 'standings'>; operatorKeys: Pick<Store['operatorKeys'], 'openFor'> }
  workers: Workers
  clock: Clock
}

/** Changes come in bursts; a page need not ask after each of them. */
const GATHER_MS = 250
/** Often enough for a person who watches, and for proxies, which end silent connections. */
const HEALTH_EVERY_MS = 5_000
/** How often sessions are looked at: one may end in another process, by the command line, or because its time is over. */
const SESSION_EVERY_MS = 1_000

export function createLive({ store, workers, clock }: LiveParts): Live {
  const followers = new Map<Writable, Followed>()
  let isClosed = false
  let gathering: NodeJS.Timeout | null = null
  const tellAll = (text: string) => {
    for (const follower of followers.keys()) tell(follower, text)
  }
  const health = () => `event: workers\ndata: ${JSON.stringify(statesOf(workers))}\n\n`

  async function endThoseNotLetIn(): Promise<void> {
    const looked = [...followers]
    // While the store does not answer, no one is known.
    const known = await standingsOf(looked.map(([, whose]) => whose)).catch(() => new Map<string, Standing>())
    for (const [follower, whose] of looked) {
      const now = known.get(nameOf(whose))
      if (now?.role === whose.role && now.organizationId === whose.organizationId) continue
      forget(follower)
      dismiss(follower)
    }
  }

  /** Two look-ups at most, however many follow. */
  async function standingsOf(all: readonly Followed[]): Promise<Map<string, Standing>> {
    const at = timeOf(clock)
    const ids = (by: Followed['by']) => [...new Set(all.filter((whose) => whose.by === by).map(({ id }) => id))]
    const [digests, keyIds] = [ids('session'), ids('key')]
    const found = new Map<string, Standing>()
    if (digests.length > 0) {
      const idleSince = new Date(at.getTime() - SESSION_IDLE_MS)
      for (const [id, standing] of await store.sessions.standings(digests, at, idleSince))
        found.set(nameOf({ by: 'session', id }), standing)
    }
    if (keyIds.length > 0) {
      for (const [id, organizationId] of await store.operatorKeys.openFor(keyIds, at))
        found.set(nameOf({ by: 'key', id }), { role: roleOfKey(organizationId), organizationId })
    }
    return found
  }

  function forget(follower: Writable): void {
    followers.delete(follower)
    if (followers.size === 0) timers.end()
  }

  const timers = whileFollowed([HEALTH_EVERY_MS, () => tellAll(health())], [SESSION_EVERY_MS, endThoseNotLetIn])

  return {
    follow(to, whose) {
      if (isClosed) return void to.end()
      to.write(`retry: 5000\n\n${health()}`)
      followers.set(to, whose)
      timers.begin()
      to.once('close', () => forget(to))
    },
    changed() {
      gathering ??= setTimeout(() => {
        gathering = null
        tellAll('event: changed\ndata:\n\n')
      }, GATHER_MS)
    },
    close() {
      isClosed = true
      timers.end()
      if (gathering) clearTimeout(gathering)
      for (const follower of followers.keys()) dismiss(follower)
    },
  }
}

/** Returns the role of those whom an operator key works for. */
export const roleOfKey = (organizationId: number | null): PersonRole =>
  organizationId === null ? 'operator' : 'administrator'

const nameOf = ({ by, id }: Pick<Followed, 'by' | 'id'>) => `${by} ${id}`
