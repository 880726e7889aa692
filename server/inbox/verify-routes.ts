/** Says whether a PDF is as it was signed here. Open to everybody, within a rate; the bytes are read in memory and not kept. */
import express, { type RequestHandler, Router } from 'express'
import type { Clock } from '../../lib/clock.ts'
import { VERIFICATIONS_PER_ADDRESS, VERIFY_WINDOW_MS } from '../choices.ts'
import { Refusal, TooMany } from '../domain/refusal.ts'
import { fromOurPage } from '../http/visit.ts'
import type { PdfPool } from '../pdf/pool.ts'
import { createThrottle } from '../people/throttle.ts'

export interface VerifyParts {
  pdf: Pick<PdfPool, 'verify'>
  /** PEM of the certificates that the documents of this service were sealed with, one after another. */
  certificatePem: string
  clock: Clock
  maxBytes: number
}

const path = '/verify/api/document'

export function verifyRoutes({ pdf, certificatePem, clock, maxBytes }: VerifyParts): Router {
  const throttle = createThrottle({ clock, tries: VERIFICATIONS_PER_ADDRESS, windowMs: VERIFY_WINDOW_MS })
  const note: RequestHandler = (_req, res, next) => {
    res.locals.template = path
    next()
  }
  const withinRate: RequestHandler = (req, _res, next) => {
    const waitMs = throttle.take(req.ip ?? '')
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
  router.post(path, note, fromOurPage, withinRate, isPdf, bytes, async (req, res) => {
    if (!Buffer.isBuffer(req.body)) throw new Refusal('invalid', 'body: a PDF')
    const asked = await pdf.verify(req.body, certificatePem)
    if (!asked.ok) throw new Refusal('invalid', `The document ${asked.problem}.`)
    res.json(asked.verdict)
  })
  return router
}
