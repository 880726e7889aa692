/**
 * Answers with JSON that contains a document as Base64. A large one is encoded and sent in steps, between which others have
 * their turn; in the JSON that is made at one go, a name represents it.
 */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate as others } from 'node:timers/promises'
import type { Response } from 'express'
import { giveBack, isLarge } from '../../lib/memory.ts'

/** Bytes; whole groups of three. */
const STEP = 48 * 1024
/** Longer than any text of an answer, so that no text can be taken for it. */
const NAME = 'document'.padEnd(64 * 1024)

/** Returns Base64, or a name that represents it in the answer. At most one document of an answer is large. */
export function asBase64(res: Response, bytes: Uint8Array): string {
  if (!isLarge(bytes)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
  res.locals.largeAnswer = bytes
  return NAME
}

/** A text that is longer takes room while it is sent, such as a picture or a list without pages. */
const SHORT = 256 * 1024

/** @param hold holds room for so many bytes until they are sent */
export async function sendJson(res: Response, value: unknown, hold: (bytes: number) => void): Promise<void> {
  const large = res.locals.largeAnswer
  if (!large) {
    const text = JSON.stringify(value)
    if (text.length > SHORT) hold(text.length)
    res.setHeader('Content-Type', 'application/json; charset=utf-8')
    return void res.send(text)
  }
  hold(large.length)
  const [before = '', after = ''] = JSON.stringify(value).split(NAME)
  res.setHeader('Content-Type', 'application/json; charset=utf-8')
  res.setHeader('Content-Length', Buffer.byteLength(before + after) + 4 * Math.ceil(large.length / 3))
  // A caller who goes away in between is no fault.
  await pipeline(Readable.from(encoded(before, large, after)), res).catch(() => res.destroy())
  giveBack(large)
}

async function* encoded(before: string, large: Uint8Array, after: string): AsyncGenerator<string> {
  const bytes = Buffer.from(large.buffer, large.byteOffset, large.byteLength)
  yield before
  for (let at = 0; at < bytes.length; at += STEP) {
    // A receiver that takes each step at once would else be given all of them in one turn.
    await others()
    yield bytes.toString('base64', at, Math.min(at + STEP, bytes.length))
  }
  yield after
}
