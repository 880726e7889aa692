/**
 * Reads a large body into memory that is taken once, where the usual reader would gather it in pieces and then copy them. What is
 * over the limit is read to its end and dropped, so that its sender gets to read the refusal.
 */
import { finished } from 'node:stream'
import type { RequestHandler } from 'express'
import { giveBack } from '../../../lib/memory.ts'
import { Refusal } from '../../domain/refusal.ts'
import { lengthOf } from './body-room.ts'

/** Reading rests for `restMs` after every `bytes`, so that other requests get their turn. */
export interface Pace {
  bytes: number
  restMs: number
}

export function rawBody(limit: number, pace?: Pace): RequestHandler {
  return (req, _res, next) => {
    const length = lengthOf(req)
    if (length === 0 && req.headers['content-length'] === undefined) return next()
    const bytes = Buffer.allocUnsafeSlow(Math.min(length ?? limit, limit))
    let size = 0
    let restAt = pace?.bytes ?? Infinity
    const isTooLarge = () => size > limit || (length ?? 0) > limit
    req.on('data', (chunk: Buffer) => {
      if (size + chunk.length <= bytes.length) bytes.set(chunk, size)
      size += chunk.length
      if (pace && size >= restAt) {
        restAt = size + pace.bytes
        req.pause()
        setTimeout(() => req.resume(), pace.restMs)
      }
    })
    finished(req, { writable: false }, (failure) => {
      if (failure || isTooLarge()) giveBack(bytes)
      if (isTooLarge()) return next(new Refusal('tooLarge', 'body: too large'))
      if (failure) return next(new Refusal('invalid', 'body: the connection ended before the body did'))
      req.body = bytes.subarray(0, size)
      next()
    })
  }
}
