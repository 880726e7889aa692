/**
 * Reads a JSON body within a limit, when there is room for it. Only UTF-8 is read. Compressed bodies are refused, because a
 * small one can unfold into anything.
 */
import { isUtf8 } from 'node:buffer'
import express, { type RequestHandler } from 'express'
import { Refusal } from '../../domain/refusal.ts'
import { bodyRoom } from './body-room.ts'
import { jsonShapeProblem } from './json-shape.ts'
import type { Room } from './room.ts'

export function jsonBody(limit: number, room: Room): RequestHandler[] {
  return [requireJson, bodyRoom(room, limit), express.raw({ limit, inflate: false, type: () => true }), parseJson]
}

const requireJson: RequestHandler = (req, _res, next) => {
  // `is` answers null where there is no body at all, which the schema then reports; an empty one has no type either.
  if (req.headers['content-length'] !== '0' && req.is('application/json') === false)
    throw new Refusal('wrongMediaType', 'content-type: application/json is required')
  // What is left after the one charset that there is may name no other, wherever a reader would look for it.
  if (/charset/i.test((req.headers['content-type'] ?? '').replace(/;\s*charset=("utf-8"|utf-8(?=\s*(;|$)))/gi, '')))
    throw new Refusal('wrongMediaType', 'content-type: the charset must be utf-8')
  next()
}

const parseJson: RequestHandler = (req, _res, next) => {
  if (Buffer.isBuffer(req.body)) req.body = jsonOf(req.body)
  next()
}

/** An empty body is an object without properties, whose schema then says what is missing. */
export function jsonOf(bytes: Buffer): unknown {
  if (bytes.length === 0) return {}
  if (!isUtf8(bytes)) throw new Refusal('invalid', 'body: not UTF-8')
  const problem = jsonShapeProblem(bytes)
  if (problem) throw new Refusal('invalid', `body: ${problem}`)
  try {
    return JSON.parse(bytes.toString().replace(BYTE_ORDER_MARK, ''))
  } catch {
    throw new Refusal('invalid', 'body: not JSON')
  }
}

const BYTE_ORDER_MARK = /^\ufeff/
