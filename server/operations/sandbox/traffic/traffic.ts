/** The last requests and webhooks of each organization of a sandbox. In memory only: a restart forgets them. */
import type { Clock } from '../../../../lib/clock.ts'
import { Busy } from '../../../domain/refusal.ts'
import type { Exchange } from './exchange.ts'
import { createOriginals, type Original, type Originals } from './originals.ts'

export interface Traffic {
  /**
   * Takes what went between the sender and the service; returns it with its id.
   * @param original what it takes to send it again; undefined when it cannot be
   */
  add(organizationId: number, exchange: Omit<Exchange, 'id'>, original?: Original): Exchange
  originals: Pick<Originals, 'find'>
  /** Returns what is remembered, oldest first. */
  list(organizationId: number): readonly Exchange[]
  clear(organizationId: number): void
  /**
   * Resolves when `isEnough` is true, or after this time. Called after each exchange of the organization. Throws `Busy` when too
   * many callers of the organization wait already.
   */
  until(organizationId: number, isEnough: () => boolean, ms: number): Promise<void>
}

/** Exchanges that are remembered for each organization; each has at most some kilobytes. */
const MOST = 500
/** Of them, what anyone may have sent to a catcher: it never takes the places of the others. */
const MOST_UNVERIFIED = 100
/** Fewer than the turns that one key has, so that waiting callers never stop the others. */
const MOST_WAITING = 8
const BUSY_MS = 1_000

/** @param clock the real one: callers wait in real time */
export function createTraffic(clock: Pick<Clock, 'after'>): Traffic {
  const remembered = new Map<number, Exchange[]>()
  const originals = createOriginals()
  const waiting = new Map<number, Set<() => void>>()
  let lastId = 0
  const list = (organizationId: number) => remembered.get(organizationId) ?? []

  /** Remembers these in place of those before. */
  const keep = (organizationId: number, exchanges: Exchange[]) => {
    const kept = new Set(exchanges)
    for (const exchange of list(organizationId)) if (!kept.has(exchange)) originals.forget(exchange.id)
    if (exchanges.length > 0) remembered.set(organizationId, exchanges)
    else remembered.delete(organizationId)
  }

  return {
    originals,
    add(organizationId, exchange, original) {
      const added = { id: ++lastId, ...exchange }
      keep(organizationId, withRoomFor(added, list(organizationId)))
      if (original) originals.keep(added.id, original)
      for (const look of waiting.get(organizationId) ?? []) look()
      return added
    },
    list,
    clear: (organizationId) => keep(organizationId, []),
    async until(organizationId, isEnough, ms) {
      if (isEnough() || ms === 0) return
      const looks = waiting.get(organizationId) ?? new Set()
      if (looks.size >= MOST_WAITING)
        throw new Busy(
          BUSY_MS,
          `${MOST_WAITING} calls of this organization wait for requests already; wait for one of them.`,
        )
      waiting.set(organizationId, looks)
      await new Promise<void>((resolve) => {
        const end = () => {
          cancel()
          looks.delete(look)
          resolve()
        }
        const look = () => {
          if (isEnough()) end()
        }
        const cancel = clock.after(ms, end)
        looks.add(look)
      })
    },
  }
}

/** Returns the exchanges with a new one, and without the oldest of those of its kind of which there are too many. */
function withRoomFor(added: Exchange, before: readonly Exchange[]): Exchange[] {
  const isFull = isUnverified(added) && before.filter(isUnverified).length >= MOST_UNVERIFIED
  const oldest = isFull ? before.find(isUnverified) : undefined
  return [...before.filter((one) => one !== oldest), added].slice(-MOST)
}

const isUnverified = ({ direction, isVerified }: Exchange): boolean => direction === 'caught' && isVerified === false
