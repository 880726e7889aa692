/** How bodies are read: each kind up to its limit, and when there is room for it. */
import type { RequestHandler } from 'express'
import { giveBack } from '../../../lib/memory.ts'
import { MAX_SAMPLE_BYTES, MAX_SIGNING_BODY_BYTES, MAX_SMALL_BODY_BYTES, VERIFICATION_PACE } from '../../choices.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { BodyKind, Row } from '../../operations/row.ts'
import { bodyRoom } from './body-room.ts'
import { type BodyRooms, createBodyLimit } from './body-rooms.ts'
import { isCompressed } from './compressed-body.ts'
import { jsonBody, largeJsonBody } from './json-body.ts'
import { type Pace, rawBody } from './raw-body.ts'
import type { Room } from './room.ts'

interface Body {
  limit: number
  room: Room
  pace?: Pace
}

type Bodies = Readonly<Record<BodyKind, Body>>

/** Returns a function that gives the handlers which read the body of a row; none when it has no body. */
export function bodyReaders(maxAttachmentBytes: number, rooms: BodyRooms) {
  const bodies: Bodies = {
    call: { limit: MAX_SMALL_BODY_BYTES, room: rooms.calls },
    signing: { limit: MAX_SIGNING_BODY_BYTES, room: rooms.calls },
    sample: { limit: MAX_SAMPLE_BYTES, room: rooms.calls },
    document: { limit: createBodyLimit(maxAttachmentBytes), room: rooms.documents },
    verification: { limit: maxAttachmentBytes, room: rooms.verification, pace: VERIFICATION_PACE },
  }
  return ({ body, reads = 'call' }: Pick<Row, 'body' | 'reads'>): RequestHandler[] => {
    if (body === undefined) return []
    const { limit, room } = bodies[reads]
    if (body === 'pdf') return pdfBody(bodies[reads])
    return reads === 'document' ? largeJsonBody(limit, room) : jsonBody(limit, room)
  }
}

const pdfBody = ({ limit, room, pace }: Body): RequestHandler[] => [
  requirePdf,
  bodyRoom(room, limit),
  rawBody(limit, pace),
  (req, res, next) => {
    const bytes: unknown = req.body
    if (!Buffer.isBuffer(bytes)) throw new Refusal('invalid', 'body: a PDF')
    res.locals.freeBody = () => giveBack(bytes)
    next()
  },
]

const requirePdf: RequestHandler = (req, _res, next) => {
  if (req.is('application/pdf') === false)
    throw new Refusal('wrongMediaType', 'content-type: application/pdf is required')
  if (isCompressed(req)) throw new Refusal('wrongMediaType', 'content-encoding: send the body uncompressed')
  next()
}
