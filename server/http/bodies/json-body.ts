/**
 * Reads a JSON body within a limit, when there is room for it. Only UTF-8 is read. The limit of a compressed body is that of
 * what it unfolds into.
 */
import { isUtf8 } from 'node:buffer'
import express, { type RequestHandler } from 'express'
import { giveBack } from '../../../lib/memory.ts'
import { Refusal } from '../../domain/refusal.ts'
import { bodyRoom } from './body-room.ts'
import { compressedBody, isCompressed } from './compressed-body.ts'
import { jsonShapeProblem } from './json-shape.ts'
import { LONG_TEXT_BYTES, type LongTexts, type Quoted, withoutLongTexts } from './long-texts.ts'
import { rawBody } from './raw-body.ts'
import type { Room } from './room.ts'

export function jsonBody(limit: number, room: Room): RequestHandler[] {
  const readPlain = express.raw({ limit, inflate: false, type: () => true })
  return [requireJson, bodyRoom(room, limit), readBy(readPlain, limit), parseJson]
}

/** The same for bodies of megabytes: their long texts are not in what is parsed, but in `res.locals.longTexts`. */
export function largeJsonBody(limit: number, room: Room): RequestHandler[] {
  return [requireJson, bodyRoom(room, limit), readBy(rawBody(limit), limit), parseLargeJson]
}

function readBy(readPlain: RequestHandler, limit: number): RequestHandler {
  const readCompressed = compressedBody(limit)
  return (req, res, next) => (isCompressed(req) ? readCompressed : readPlain)(req, res, next)
}

const requireJson: RequestHandler = (req, _res, next) => {
  // `is` answers null where there is no body at all, which the schema then reports; an empty one has no type either.
  if (req.headers['content-length'] !== '0' && req.is(JSON_TYPES) === false)
    throw new Refusal('wrongMediaType', 'content-type: application/json is required')
  // Without the one charset that is allowed, the header must not name another one anywhere.
  if (/charset/i.test((req.headers['content-type'] ?? '').replace(/;\s*charset=("utf-?8"|utf-?8(?=\s*(;|$)))/gi, '')))
    throw new Refusal('wrongMediaType', 'content-type: the charset must be utf-8')
  next()
}

/** choice: Media types of JSON */
const JSON_TYPES = ['application/json', 'text/json', '+json']

const parseJson: RequestHandler = (req, _res, next) => {
  if (Buffer.isBuffer(req.body)) req.body = jsonOf(req.body)
  next()
}

const parseLargeJson: RequestHandler = (req, res, next) => {
  const bytes: unknown = req.body
  if (!Buffer.isBuffer(bytes)) return next()
  res.locals.freeBody = () => giveBack(bytes)
  const { value, longTexts } = largeJsonOf(bytes)
  req.body = value
  res.locals.longTexts = longTexts
  next()
}

/** An empty body is an object without properties, whose schema then says what is missing. */
export function jsonOf(bytes: Buffer): unknown {
  mustBeParsable(bytes)
  return parsed(bytes)
}

export function largeJsonOf(bytes: Buffer): { value: unknown; longTexts: LongTexts } {
  const long: Quoted[] = []
  mustBeParsable(bytes, (quoted) => {
    if (quoted.end - quoted.start > LONG_TEXT_BYTES) long.push(quoted)
  })
  const { json, texts } = withoutLongTexts(bytes, long)
  return { value: parsed(json), longTexts: texts }
}

function mustBeParsable(bytes: Buffer, onText?: (quoted: Quoted) => void): void {
  if (!isUtf8(bytes)) throw new Refusal('invalid', 'body: not UTF-8')
  const problem = jsonShapeProblem(bytes, undefined, onText)
  if (problem) throw new Refusal('invalid', `body: ${problem}`)
}

function parsed(bytes: Buffer): unknown {
  if (bytes.length === 0) return {}
  try {
    return JSON.parse(bytes.toString().replace(BYTE_ORDER_MARK, ''))
  } catch {
    throw new Refusal('invalid', 'body: not JSON')
  }
}

const BYTE_ORDER_MARK = /^\ufeff/
