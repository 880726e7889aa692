/** How bodies are read: each kind up to its limit, and when there is room for it. */
import express, { type RequestHandler } from 'express'
import { MAX_SAMPLE_BYTES, MAX_SIGNING_BODY_BYTES, MAX_SMALL_BODY_BYTES } from '../../choices.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { BodyKind, Row } from '../../operations/row.ts'
import { bodyRoom } from './body-room.ts'
import { type BodyRooms, createBodyLimit } from './body-rooms.ts'
import { jsonBody, largeJsonBody } from './json-body.ts'
import type { Room } from './room.ts'

type Bodies = Readonly<Record<BodyKind, { limit: number; room: Room }>>

/** Returns a function that gives the handlers which read the body of a row; none when it has no body. */
export function bodyReaders(maxAttachmentBytes: number, rooms: BodyRooms) {
  const bodies: Bodies = {
    call: { limit: MAX_SMALL_BODY_BYTES, room: rooms.calls },
    signing: { limit: MAX_SIGNING_BODY_BYTES, room: rooms.calls },
    sample: { limit: MAX_SAMPLE_BYTES, room: rooms.calls },
    document: { limit: createBodyLimit(maxAttachmentBytes), room: rooms.documents },
    verification: { limit: maxAttachmentBytes, room: rooms.verification },
  }
  return ({ body, reads = 'call' }: Pick<Row, 'body' | 'reads'>): RequestHandler[] => {
    if (body === undefined) return []
    const { limit, room } = bodies[reads]
    if (body === 'pdf') return pdfBody(limit, room)
    return reads === 'document' ? largeJsonBody(limit, room) : jsonBody(limit, room)
  }
}

const pdfBody = (limit: number, room: Room): RequestHandler[] => [
  requirePdf,
  bodyRoom(room, limit),
  express.raw({ type: 'application/pdf', limit, inflate: false }),
  (req, _res, next) => {
    if (!Buffer.isBuffer(req.body)) throw new Refusal('invalid', 'body: a PDF')
    next()
  },
]

const requirePdf: RequestHandler = (req, _res, next) => {
  if (req.is('application/pdf') === false)
    throw new Refusal('wrongMediaType', 'content-type: application/pdf is required')
  next()
}
