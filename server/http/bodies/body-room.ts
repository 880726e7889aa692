/**
 * Lets a body be read only when there is room for it in memory: in all, and for its sender. The room is taken by
 * Content-Length before the first byte is read, and given back when the answer is over and no one works on the body any more.
 */
import type { Request, RequestHandler, Response } from 'express'
import { BODY_GRACE_MS, BUSY_RETRY_MS, MIN_BODY_BYTES_PER_SECOND } from '../../choices.ts'
import { Busy, Refusal } from '../../domain/refusal.ts'
import { holderOf } from '../callers/holder.ts'
import { refuse } from '../failures.ts'
import type { Room } from './room.ts'

/** @param limit bytes of the largest body; a request that does not tell its length takes room for that. */
export function bodyRoom(room: Room, limit: number): RequestHandler {
  return (req, res, next) => {
    const bytes = Math.min(lengthOf(req) ?? limit, limit)
    const { name: sender } = holderOf(req, res)
    const taken = [takeFrom(room, sender, bytes)]
    let held = bytes
    let users = 1
    res.locals.bodyGrew = (size: number) => {
      if (size <= held || users === 0) return
      taken.push(takeFrom(room, sender, size - held))
      held = size
    }
    const leave = () => {
      users--
      if (users > 0) return
      res.locals.freeBody?.()
      for (const giveBack of taken) giveBack()
    }
    res.locals.bodyWhile = <T>(work: Promise<T>): Promise<T> => {
      users++
      return work.finally(leave)
    }
    res.once('close', leave)
    endWhenSlow(req, res, bytes)
    next()
  }
}

/** Returns the function that gives it back. */
function takeFrom(room: Room, sender: string, bytes: number): () => void {
  const giveBack = room.take(sender, bytes)
  if (giveBack) return giveBack
  throw new Busy(BUSY_RETRY_MS, `Too much is being sent at once. Try again in ${BUSY_RETRY_MS / 1000} seconds.`)
}

/** Returns undefined where the length is not told beforehand, 0 where there is no body. */
export function lengthOf({ headers }: Request): number | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined
  return Number(headers['content-length'] ?? 0)
}

/** A body that trickles in would hold its room for as long as its sender likes. */
function endWhenSlow(req: Request, res: Response, bytes: number): void {
  const limitMs = BODY_GRACE_MS + (bytes / MIN_BODY_BYTES_PER_SECOND) * 1000
  const timer = setTimeout(() => {
    // A body that has arrived, or that no one reads because there is none, is not slow.
    if (req.complete) return
    if (res.headersSent) return void req.destroy()
    res.setHeader('Connection', 'close')
    res.once('finish', () => req.destroy())
    refuse(
      res,
      new Refusal('tooSlow', `body: it came too slowly; one of its size has ${Math.ceil(limitMs / 1000)} seconds`),
    )
  }, limitMs)
  const stop = () => clearTimeout(timer)
  req.once('end', stop)
  res.once('close', stop)
}
