/** The last requests and webhooks of each organization of a sandbox. In memory only: a restart forgets them. */
import type { Clock } from '../../../../lib/clock.ts'
import { Busy } from '../../../domain/refusal.ts'
import type { Exchange } from './exchange.ts'

export interface Traffic {
  /** Takes what went between the sender and the service; returns it with its id. */
  add(organizationId: number, exchange: Omit<Exchange, 'id'>): Exchange
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
  const waiting = new Map<number, Set<() => void>>()
  let lastId = 0
  const list = (organizationId: number) => remembered.get(organizationId) ?? []

  return {
    add(organizationId, exchange) {
      const added = { id: ++lastId, ...exchange }
      remembered.set(organizationId, withRoomFor(added, list(organizationId)))
      for (const look of waiting.get(organizationId) ?? []) look()
      return added
    },
    list,
    clear: (organizationId) => void remembered.delete(organizationId),
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
