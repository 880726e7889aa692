/**
 * Lets a document be sent only when there is room for it in memory, in all and for its reader, and only for as long as its size allows:
 * one that is not read would stay in memory.
 */
import type { Request, Response } from 'express'
import { BODY_GRACE_MS, BUSY_RETRY_MS, MIN_BODY_BYTES_PER_SECOND } from '../../choices.ts'
import { Busy } from '../../domain/refusal.ts'
import { holderOf } from '../callers/holder.ts'
import type { Room } from './room.ts'

/** Holds room for an answer of this size until it is sent. Throws `Busy` when there is none. */
export type HoldAnswer = (req: Request, res: Response, bytes: number) => void

export const answerRoom =
  (room: Room): HoldAnswer =>
  (req, res, bytes) => {
    if (bytes === 0 || res.closed) return
    const leave = room.take(holderOf(req, res).name, bytes)
    if (!leave)
      throw new Busy(
        BUSY_RETRY_MS,
        `Too many documents are being read at once. Try again in ${BUSY_RETRY_MS / 1000} seconds.`,
      )
    const tooSlow = setTimeout(() => res.destroy(), BODY_GRACE_MS + (bytes / MIN_BODY_BYTES_PER_SECOND) * 1000)
    res.once('close', () => {
      clearTimeout(tooSlow)
      leave()
    })
  }
