/** Says whether a PDF is as it was signed here. Open to everybody, within a rate; the bytes are read in memory and not kept. */
import express, { type Request, type RequestHandler, Router } from 'express'
import type { Clock } from '../../lib/clock.ts'
import { BUSY_RETRY_MS, VERIFICATION_PLACES, VERIFICATIONS_PER_ADDRESS, VERIFY_WINDOW_MS } from '../choices.ts'
import { networkOf } from '../domain/network.ts'
import { Busy, Refusal, TooMany } from '../domain/refusal.ts'
import { bodyRoom } from '../http/body-room.ts'
import { createRoom, type Room } from '../http/room.ts'
import { fromOurPage } from '../http/visit.ts'
import type { PdfPool } from '../pdf/pool.ts'
import { createThrottle } from '../people/throttle.ts'

export interface VerifyParts {
  /** A pool of its own: whoever is not known may not hold up those who are. */
  pdf: Pick<PdfPool, 'verify'>
  /** PEM of the certificates that the documents of this service were sealed with, one after another. */
  certificatePem: string
  clock: Clock
  maxBytes: number
  /** For the documents while they are in memory. */
  room: Room
}

const path = '/verify/api/document'

export function verifyRoutes({ pdf, certificatePem, clock, maxBytes, room }: VerifyParts): Router {
  const throttle = createThrottle({ clock, tries: VERIFICATIONS_PER_ADDRESS, windowMs: VERIFY_WINDOW_MS })
  const places = createRoom(VERIFICATION_PLACES)
  const note: RequestHandler = (_req, res, next) => {
    res.locals.template = path
    next()
  }
  const withinRate: RequestHandler = (req, _res, next) => {
    const waitMs = throttle.take(networkOf(req.ip))
    if (waitMs > 0) throw new TooMany(waitMs, `Too many documents. Try again in ${Math.ceil(waitMs / 1000)} seconds.`)
    next()
  }
  const isPdf: RequestHandler = (req, _res, next) => {
    if (req.is('application/pdf') === false)
      throw new Refusal('wrongMediaType', 'content-type: application/pdf is required')
    next()
  }
  const bytes = express.raw({ type: 'application/pdf', limit: maxBytes, inflate: false })
  const router = Router()
  const verify = async (req: Request) => {
    if (!Buffer.isBuffer(req.body)) throw new Refusal('invalid', 'body: a PDF')
    const leave = places.take(networkOf(req.ip), 1)
    if (!leave) throw busy('Too many documents wait.')
    return pdf.verify(req.body, certificatePem).finally(leave)
  }
  router.post(path, note, fromOurPage, withinRate, isPdf, bodyRoom(room, maxBytes), bytes, async (req, res) => {
    const asked = await res.locals.bodyWhile!(verify(req))
    if (!asked.ok && asked.isForNow) throw busy('Too much is read at once.')
    if (!asked.ok) throw new Refusal('invalid', `The document ${asked.problem}.`)
    res.json(asked.verdict)
  })
  return router
}

const busy = (why: string) => new Busy(BUSY_RETRY_MS, `${why} Try again in ${BUSY_RETRY_MS / 1000} seconds.`)
