/**
 * Tells open inboxes that what waits for their signer has changed, and nothing else: each asks with its own session what waits
 * now. The store is asked once for all signers whose inbox is open.
 */
import type { Writable } from 'node:stream'
import { type Clock, timeOf } from '../../lib/clock.ts'
import { SESSION_IDLE_MS } from '../choices.ts'
import type { Store } from '../store/store.ts'
import { dismiss, tell } from './listeners.ts'
import { whileFollowed } from './while-followed.ts'

export interface InboxFeed {
  /** Tells `to`, as server-sent events: once at the beginning, then of each change, until the session ends. */
  follow(to: Writable, whose: Followed): void
  /** Says that the status of some task may have changed. */
  changed(): void
  /** Ends every open connection, and any that comes later, so that the service can stop. */
  close(): void
}

export interface Followed {
  npi: string
  /** Digest of the id of the session. */
  session: string
}

export interface InboxFeedParts {
  store: Pick<Store, 'sessions' | 'waitingMarks'>
  clock: Clock
  onFault(fault: unknown): void
}

interface Follower extends Followed {
  to: Writable
  /** The mark of what waited when the follower was last notified; null before that. */
  mark: string | null
}

/** Changes come in bursts; an inbox need not ask after each of them. */
const GATHER_MS = 200
/** How often the store is asked anyway: another process may have changed it and have woken no one. */
const LOOK_EVERY_MS = 10_000
/** Proxies end connections that are silent for longer. */
const HEARTBEAT_EVERY_MS = 15_000
/** How often sessions are looked at: one may end in another process, by the command line, or because its time is over. */
const SESSIONS_EVERY_MS = 1_000

export function createInboxFeed({ store, clock, onFault }: InboxFeedParts): InboxFeed {
  const followers = new Set<Follower>()
  let isClosed = false
  let gathering: NodeJS.Timeout | null = null
  let looking: Promise<void> | null = null

  async function tellChanges(): Promise<void> {
    if (followers.size === 0) return
    const marks = await store.waitingMarks([...new Set([...followers].map(({ npi }) => npi))], timeOf(clock))
    for (const follower of followers) {
      const mark = marks.get(follower.npi)
      // Unknown to this look: the follower has come since it began, and has a look of its own.
      if (mark === undefined || mark === follower.mark) continue
      follower.mark = mark
      tell(follower.to, 'event: changed\ndata:\n\n')
    }
  }

  async function endWithSessions(): Promise<void> {
    if (followers.size === 0) return
    const digests = new Set([...followers].map(({ session }) => session))
    const at = timeOf(clock)
    const idleSince = new Date(at.getTime() - SESSION_IDLE_MS)
    // While the store does not answer, no one is known.
    const ongoing = await store.sessions.ongoing([...digests], at, idleSince).catch(() => new Set<string>())
    for (const follower of followers) if (digests.has(follower.session) && !ongoing.has(follower.session)) end(follower)
  }

  /** Nothing is written to it any more, though it may take a while to close. */
  function end(follower: Follower): void {
    forget(follower)
    dismiss(follower.to)
  }

  function forget(follower: Follower): void {
    followers.delete(follower)
    if (followers.size === 0) timers.end()
  }

  function look(): void {
    gathering ??= setTimeout(async () => {
      // One look at a time: what changes during it is left to the next one.
      await looking
      gathering = null
      looking = tellChanges().catch(onFault)
    }, GATHER_MS)
  }

  function beat(): void {
    for (const { to } of followers) tell(to, ':\n\n')
  }

  const timers = whileFollowed([LOOK_EVERY_MS, look], [SESSIONS_EVERY_MS, endWithSessions], [HEARTBEAT_EVERY_MS, beat])

  return {
    follow(to, whose) {
      if (isClosed) return void to.end()
      to.write('retry: 5000\n\n')
      const follower: Follower = { ...whose, to, mark: null }
      followers.add(follower)
      timers.begin()
      to.once('close', () => forget(follower))
      look()
    },
    changed: look,
    close() {
      isClosed = true
      timers.end()
      if (gathering) clearTimeout(gathering)
      for (const follower of followers) end(follower)
    },
  }
}
