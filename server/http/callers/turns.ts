/**
 * Gives each key and each person a fair share of the work under way: what is above the share waits for its turn, in the order in
 * which it came, so that one caller cannot fill the queue of the store for all others. choice: Turns
 */
import type { Request, Response } from 'express'
import { BUSY_RETRY_MS, TURNS } from '../../choices.ts'
import { Busy } from '../../domain/refusal.ts'
import { createPlaces } from '../bodies/room.ts'
import { holderOf } from './holder.ts'

/** Runs `work` when it is the turn of the request, unless the caller has gone by then. Throws `Busy` when too many wait. */
export type InTurn = (req: Request, res: Response, work: () => Promise<void>) => Promise<void>

interface Waiter {
  name: string
  start(leave: () => void): void
}

export function createTurns({ atOnce, waiting }: typeof TURNS = TURNS): InTurn {
  const running = createPlaces({ ...atOnce, total: Number.POSITIVE_INFINITY })
  const queue = createPlaces(waiting)
  const waiters = new Map<string, Set<Waiter>>()

  function startNext(group: string): void {
    for (const { name, start } of waiters.get(group) ?? []) {
      const leave = running.take(group, name)
      if (leave) start(leave)
    }
  }

  /** Resolves with null when the caller has gone before its turn. */
  function turnOf(group: string, name: string, res: Response): Promise<(() => void) | null> {
    const leave = running.take(group, name)
    if (leave) return Promise.resolve(leave)
    const leaveQueue = queue.take(group, name)
    if (!leaveQueue)
      throw new Busy(
        BUSY_RETRY_MS,
        `Too many requests of this caller are waiting. Send fewer at once, and try again in ${BUSY_RETRY_MS / 1000} seconds.`,
      )
    return new Promise((resolve) => {
      const ofGroup = waiters.get(group) ?? new Set()
      waiters.set(group, ofGroup)
      const settle = (turn: (() => void) | null) => {
        leaveQueue()
        ofGroup.delete(waiter)
        if (ofGroup.size === 0) waiters.delete(group)
        res.off('close', gone)
        resolve(turn)
      }
      const gone = () => settle(null)
      const waiter: Waiter = { name, start: settle }
      ofGroup.add(waiter)
      res.once('close', gone)
    })
  }

  return async (req, res, work) => {
    if (res.closed) return
    const { group, name } = holderOf(req, res)
    const leave = await turnOf(group, name, res)
    if (!leave) return
    // Work continues without its caller, and an answer that is not read is still held: the turn lasts as long as both.
    const closed = new Promise<void>((resolve) => (res.closed ? resolve() : res.once('close', resolve)))
    const done = work()
    void Promise.allSettled([done, closed]).then(() => {
      leave()
      startNext(group)
    })
    await done
  }
}
