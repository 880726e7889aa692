/**
 * Remembers which events were handed over, so that each is handed over once. It keeps ids, statuses and times; the reason
 * of a status is free text about a patient and is never written.
 */
import { randomUUID } from 'node:crypto'
import type { StatusEvent } from '../contract/event.ts'
import type { Journal } from '../journal/journal.ts'
import { readEvent } from './read-event.ts'
import { createTaskMemory, type TaskMemory } from './task-memory.ts'

/** Remembers which events were handed over. Made by `createOnceStore`. */
export interface OnceStore {
  /** `new`: the caller is to hand the event over. `in_progress`: another caller is at it. `done`: it was handed over. */
  claim(event: StatusEvent): Promise<'new' | 'in_progress' | 'done'>
  /** The event was handed over, or was found to be old news. */
  complete(event: StatusEvent): Promise<void>
  /** The event could not be handed over; the next claim is new. What another process has claimed or done since is left alone. */
  release(event: StatusEvent): Promise<void>
  /** Claimed events whose holder neither completed nor released them in time. Without their reasons. */
  abandoned(): AsyncIterable<StatusEvent>
  /** The last change of each task that was handed over. */
  tasks: TaskMemory
}

/** How long events and claims are remembered. */
export interface OnceStoreOptions {
  /** Milliseconds since 1970. */
  now?: () => number
  /** Milliseconds that an event is remembered, longer than any host repeats it. Optional; 7 days by default. */
  ttlMs?: number
  /**
   * Milliseconds that a claim holds without being completed. Optional; 60,000 by default. A handler that takes longer may be given its
   * event again in another process.
   */
  claimMs?: number
  /**
   * True when no one else uses the journal while this store does. A claim of another one is then of an earlier start, and counts as
   * abandoned at once, not only when its time is over.
   */
  isAlone?: boolean
}

type Claimed = { state: 'claimed'; by: string; until: number; event: StatusEvent }
type Claim = Claimed | { state: 'done' } | { state: 'free' }

const DAY_MS = 86_400_000

/**
 * Keeps what it remembers in a journal, whose namespace must belong to one service: task ids of two services would collide. Of
 * two claims at once exactly one is `new`, also between processes that share the journal.
 */
export function createOnceStore(
  journal: Journal,
  { now = Date.now, ttlMs = 7 * DAY_MS, claimMs = 60_000, isAlone = false }: OnceStoreOptions = {},
): OnceStore {
  const self = randomUUID()
  const keyOf = ({ eventId }: StatusEvent) => `event:${eventId.toLowerCase()}`
  const isAbandoned = ({ by, until }: Claimed, at: number) => until <= at || (isAlone && by !== self)

  return {
    async claim(event) {
      const at = now()
      const mine: Claim = { state: 'claimed', by: self, until: at + claimMs, event: { ...event, statusReason: null } }
      const isFree = (known?: Claim) =>
        !known || known.state === 'free' || (known.state === 'claimed' && isAbandoned(known, at))
      const known = await journal.change<Claim>(keyOf(event), (was) => (isFree(was) ? mine : undefined), ttlMs)
      if (isFree(known)) return 'new'
      return known?.state === 'done' ? 'done' : 'in_progress'
    },
    complete: (event) => journal.set(keyOf(event), { state: 'done' } satisfies Claim, ttlMs),
    async release(event) {
      const isMine = (known?: Claim) => known?.state === 'claimed' && known.by === self
      await journal.change<Claim>(keyOf(event), (known) => (isMine(known) ? { state: 'free' } : undefined), claimMs)
    },
    async *abandoned() {
      for await (const [key, claim] of journal.entries<Claim>())
        if (key.startsWith('event:') && claim.state === 'claimed' && isAbandoned(claim, now()))
          yield rememberedEvent(claim.event)
    },
    tasks: createTaskMemory(journal),
  }
}

function rememberedEvent(entry: unknown): StatusEvent {
  const read = readEvent(entry)
  if ('event' in read) return read.event
  throw new Error(`An event in the journal cannot be read: ${read.issues.join('; ')}`)
}
